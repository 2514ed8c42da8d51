/* cli/option.h - the one table of options: it drives parsing, help, completion and the tests.
 *
 * A command lists the options that it takes by id (cli/command.h), with a default of its
 * own where it has one.  Two ids may share a name when no command takes both. */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/core/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_id {
    /* everywhere */
    OPT_DB,
    OPT_JSON,
    OPT_CSV,
    OPT_AS_OF,
    OPT_REGION,
    OPT_FACTS,
    OPT_QUIET,
    OPT_VERBOSE,
    OPT_NO_COLOR,
    OPT_JOBS,
    OPT_HELP,
    OPT_VERSION,
    /* of commands */
    OPT_ACCOUNT,
    OPT_ADD_STANDBY,
    OPT_ALL,
    OPT_ALLOW_BURST,
    OPT_ARCH,
    OPT_BEFORE,
    OPT_BILL,
    OPT_BY,
    OPT_CASCADE,
    OPT_CITUS,
    OPT_COUNT,
    OPT_DATE,
    OPT_DIFF,
    OPT_DISCOUNT,
    OPT_DROP_STANDBY,
    OPT_DRY_RUN,
    OPT_ENDPOINT_URL,
    OPT_FARSYNC,
    OPT_FDW,
    OPT_FORMAT,
    OPT_FROM,
    OPT_GROUP,
    OPT_GROUP_SPEC,
    OPT_GROWTH,
    OPT_HEADROOM,
    OPT_IAM_POLICY,
    OPT_INIT,
    OPT_INSTANCE,
    OPT_INTERVAL,
    OPT_IO_SIZE,
    OPT_IOPS,
    OPT_MAX_COUNT,
    OPT_MAX_DELAY_MS,
    OPT_MEMBERS,
    OPT_MAX_EXPAND,
    OPT_MAX_THROTTLED_S,
    OPT_MEMORY,
    OPT_MERGE_LOSS,
    OPT_METRICS,
    OPT_MIN_COUNT,
    OPT_MONTH,
    OPT_NETWORK_EFFICIENCY,
    OPT_OUT,
    OPT_OUT_FILE,
    OPT_PEAK_FACTOR,
    OPT_PER_VOLUME_USD,
    OPT_PERCENTILE,
    OPT_PERIOD,
    OPT_PHASE,
    OPT_PHASES,
    OPT_PLAN,
    OPT_POINTS,
    OPT_PORT,
    OPT_REDO_BLOCK,
    OPT_REDUNDANCY,
    OPT_REDUNDANCY_OF_GROUP,
    OPT_REQUESTS,
    OPT_RESTORE,
    OPT_RMAN,
    OPT_ROLE_SWAP,
    OPT_SCRIPT,
    OPT_SET,
    OPT_SHIFT,
    OPT_SHOW,
    OPT_SIZE,
    OPT_SPLIT,
    OPT_STANDBYS,
    OPT_START,
    OPT_SYSTEM,
    OPT_THROUGHPUT,
    OPT_THROUGHPUT_MB_S,
    OPT_TO,
    OPT_TOP,
    OPT_TYPES,
    OPT_TZ,
    OPT_VCPU,
    OPT_VOLUMES,
    OPT_WAY,
    OPT_WEIGHTING,
    OPT_WITH,
    OPT_WRITE_PCT,
    OPTION_COUNT
};

enum option_kind {
    KIND_FLAG,         /* takes no value */
    KIND_TEXT,         /* anything but nothing */
    KIND_TEXT_OR_NONE, /* text is "" where the command line ends or another option follows */
    KIND_QUANTITY,     /* a number with a unit: value.number */
    KIND_WHOLE,        /* the same, and rounded up: value.whole; a count must be whole */
    KIND_DATE,         /* YYYY-MM-DD: value.whole in ms */
    KIND_TIME,         /* ISO date or time, UTC unless it says otherwise: value.whole in ms */
    KIND_CHOICE,       /* one of choices: value.whole is its index */
    KIND_TYPES,        /* volume types, comma-separated: value.whole is a mask of 1 << type */
};

struct option {
    const char *name; /* without the dashes */
    const char *arg;  /* what stands for the value in help; NULL for flags */
    enum option_kind kind;
    enum unit unit;
    double min, max;            /* of quantities, both included */
    const char *const *choices; /* ends with NULL */
    bool global;
    char letter;          /* "-o" is the same; 0 = none */
    const char *fallback; /* default of a global option; commands give their own */
    const char *help;
};
extern const struct option option_table[OPTION_COUNT];

struct option_value {
    bool given; /* by the user: false for a default */
    bool set;   /* given, or from a default */
    const char *text;
    double number;
    int64_t whole;
};

/* Reads text as a value of the option.  ERR_USAGE says what was expected. */
int option_parse(const struct option *o, const char *text, struct option_value *out, struct err *e);

/* "--size N", "-o, --out FILE" */
char *option_usage(char buf[64], const struct option *o);

#endif
