/* cli/option.c - see option.h. */
#include "cli/option.h"

#include "cli/nearest.h"
#include "models/core/timestamp.h"
#include "models/vocab/volume.h"

#include <stdio.h>
#include <string.h>

static const char *const archs[] = { "x86_64", "arm64", NULL };
static const char *const by_what[] = { "group", "device", "filetype", "instance", NULL };
static const char *const periods[] = { "60", "300", "3600", NULL };
static const char *const redundancies[] = { "external", "normal", "high", NULL };
static const char *const scripts[] = { "aws", "asm", "terraform", NULL };
static const char *const ways[] = { "modify",   "new_logs", "asm_replace", "asm_keep", "rman_copy",
                                    "snapshot", "copy",     "best",        NULL };
static const char *const weightings[] = { "default", "ebs-1", "vpc-1", NULL };

const struct option option_table[OPTION_COUNT] = {
    [OPT_DB] = { "db", "FILE", KIND_TEXT, .global = true, .fallback = "volplan.db",
                 .help =
                     "the store, or postgresql://... (docs/fleets.md); VOLPLAN_DB names another "
                     "default" },
    [OPT_JSON] = { "json", NULL, KIND_FLAG, .global = true, .help = "one JSON object on stdout" },
    [OPT_CSV] = { "csv", NULL, KIND_FLAG, .global = true,
                  .help = "the rows of the answer as CSV, where it is a list" },
    [OPT_AS_OF] = { "as-of", "DATE", KIND_DATE, .global = true,
                    .help = "rules and prices of that day, YYYY-MM-DD (today)" },
    [OPT_REGION] = { "region", "NAME", KIND_TEXT, .global = true, .fallback = "us-east-1",
                     .help = "AWS region of the prices" },
    [OPT_FACTS] = { "facts", "DIR", KIND_TEXT, .global = true,
                    .help = "read rules, prices and instance types from CSV files in DIR" },
    [OPT_QUIET] = { "quiet", NULL, KIND_FLAG, .global = true,
                    .help = "no progress and no notes on stderr" },
    [OPT_VERBOSE] = { "verbose", NULL, KIND_FLAG, .global = true, .help = "more notes on stderr" },
    [OPT_NO_COLOR] = { "no-color", NULL, KIND_FLAG, .global = true,
                       .help = "no colour on a terminal; NO_COLOR does the same" },
    [OPT_JOBS] = { "jobs", "N", KIND_WHOLE, UNIT_COUNT, 1, 256, .global = true,
                   .help = "threads to use, where a command has work for several (one for each "
                           "processor, at most 4)" },
    [OPT_HELP] = { "help", NULL, KIND_FLAG, .global = true, .help = "what a command does" },
    [OPT_VERSION] = { "version", NULL, KIND_FLAG, .global = true, .help = "the version" },

    [OPT_ACCOUNT] = { "account", "ID", KIND_TEXT, .help = "only lines of this account" },
    [OPT_ADD_STANDBY] = { "add-standby", "NAME[:send=MIBPS,rtt=MS,mode=MODE]", KIND_TEXT,
                          .help = "another standby; MODE is async, sync or fastsync; window=KIB, "
                                  "apply=MIBPS and via=NAME are taken too" },
    [OPT_ALL] = { "all", NULL, KIND_FLAG, .help = "every system of the store, a line each" },
    [OPT_ALLOW_BURST] = { "allow-burst", NULL, KIND_FLAG,
                          .help = "hold the need against the burst (30 minutes a day at least), "
                                  "not the baseline" },
    [OPT_ARCH] = { "arch", "ARCH", KIND_CHOICE, .choices = archs,
                   .help = "only instances of this processor architecture" },
    [OPT_BEFORE] = { "before", "TIME", KIND_TIME, .help = "only what was measured before then" },
    [OPT_BILL] = { "bill", "FILE", KIND_TEXT,
                   .help =
                       "a part of a bill: cost and usage report or FOCUS export, as CSV or packed; "
                       "further parts may follow" },
    [OPT_BY] = { "by", "WHAT", KIND_CHOICE, .choices = by_what, .help = "what a row stands for" },
    [OPT_CASCADE] = { "cascade", "NAME=VIA", KIND_TEXT,
                      .help = "feed standby NAME from another standby" },
    [OPT_CITUS] = { "citus", NULL, KIND_FLAG, .help = "have Citus spread the tables, by system" },
    [OPT_COUNT] = { "count", "N", KIND_WHOLE, UNIT_COUNT, 1, 1000,
                    .help = "number of equal volumes in the stripe" },
    [OPT_DATE] = { "date", "DATE", KIND_DATE,
                   .help = "day of the first sample, where the file has times only" },
    [OPT_DIFF] = { "diff", NULL, KIND_FLAG,
                   .help = "what differs between two dates: --diff DATE DATE" },
    [OPT_DISCOUNT] = { "discount", "PCT", KIND_QUANTITY, UNIT_PCT, 0, 100,
                       .help = "agreed discount on list prices" },
    [OPT_DROP_STANDBY] = { "drop-standby", "NAME", KIND_TEXT, .help = "without this standby" },
    [OPT_DRY_RUN] = { "dry-run", NULL, KIND_FLAG, .help = "say what would change; change nothing" },
    [OPT_ENDPOINT_URL] = { "endpoint-url", "URL", KIND_TEXT,
                           .help = "ask there instead of AWS's own address: a VPC endpoint "
                                   "(https), or a server on this machine" },
    [OPT_FARSYNC] = { "farsync", "NAME[:rtt=MS,via=NAME]", KIND_TEXT,
                      .help = "a far sync instance; it feeds all standbys that the primary fed, or "
                              "those that --cascade puts behind it" },
    [OPT_FDW] = { "fdw", "HOST,...", KIND_TEXT,
                  .help = "have these servers keep the tables, each the rows of some systems; "
                          "HOST:PORT where it is not 5432" },
    [OPT_FORMAT] = { "format", "NAME", KIND_TEXT,
                     .help = "take the files as this format (found out from the content)" },
    [OPT_FROM] = { "from", "TIME", KIND_TIME, .help = "only what was measured since then" },
    [OPT_GROUP] = { "group", "NAME", KIND_TEXT, .help = "only this disk group" },
    [OPT_GROUP_SPEC] = { "group", "NAME=SPEC", KIND_TEXT,
                         .help = "this group on other volumes: REDO1=2xio2:250GiB:5000, each "
                                 "TYPE:GIB:IOPS:MIBPS" },
    [OPT_GROWTH] = { "growth", "PCT", KIND_TEXT, .help = "more load of every kind" },
    [OPT_HEADROOM] = { "headroom", "PCT", KIND_QUANTITY, UNIT_PCT, 0, 1000,
                       .help = "capacity above the need, of IOPS and throughput" },
    [OPT_IAM_POLICY] = { "iam-policy", NULL, KIND_FLAG,
                         .help = "the least permissions that fetch needs, as an IAM policy" },
    [OPT_INIT] = { "init", NULL, KIND_FLAG,
                   .help = "write a layout from what was ingested, to be completed by hand" },
    [OPT_INSTANCE] = { "instance", "TYPE", KIND_TEXT, .help = "EC2 instance type of the host" },
    [OPT_INTERVAL] = { "interval", "S", KIND_QUANTITY, UNIT_S, 0.001, 31622400,
                       .help = "seconds between samples, where the file has no times" },
    [OPT_IO_SIZE] = { "io-size", "KIB", KIND_QUANTITY, UNIT_KIB, 0.5, 65536,
                      .help = "size of the requests, KiB" },
    [OPT_IOPS] = { "iops", "N", KIND_WHOLE, UNIT_IOPS, 0, 1e9, .help = "IOPS; 64K is 64 000" },
    [OPT_MAX_COUNT] = { "max-count", "N", KIND_WHOLE, UNIT_COUNT, 1, 128,
                        .help = "at most N volumes in the group" },
    [OPT_MAX_DELAY_MS] = { "max-delay-ms", "D", KIND_QUANTITY, UNIT_MS, 0, 1e9,
                           .help =
                               "the cheapest volumes for which no request of the measured load, "
                               "with headroom, waits longer than D ms in replay" },
    [OPT_MAX_EXPAND] = { "max-expand", "SIZE", KIND_QUANTITY, UNIT_GIB, 1.0 / 1024, 1e6,
                         .help = "unpack up to SIZE of an archive, GiB; other units are converted "
                                 "(64GiB, and no more than 1 000 times its size)" },
    [OPT_MAX_THROTTLED_S] = { "max-throttled-s", "S", KIND_QUANTITY, UNIT_S, 0, 1e9,
                              .help = "the cheapest volumes for which the measured load, with "
                                      "headroom, waits at most S seconds in all in replay" },
    [OPT_MEMBERS] = { "members", "N", KIND_TEXT, .help = "N members of each redo log" },
    [OPT_MEMORY] = { "memory", "GIB", KIND_QUANTITY, UNIT_GIB, 0, 1e6,
                     .help = "at least this much memory, GiB" },
    [OPT_MERGE_LOSS] = { "merge-loss", "[GROUP[:DISKS]]", KIND_TEXT_OR_NONE,
                         .help = "requests fall to 4 KiB on all disks of a group, or on DISKS of "
                                 "them; without GROUP everywhere; GROUP:1,merged=43 leaves 43 % of "
                                 "the merges" },
    [OPT_METRICS] = { "metrics", NULL, KIND_FLAG,
                      .help = "values of metrics (CloudWatch, AWR mining) instead of samples" },
    [OPT_MIN_COUNT] = { "min-count", "N", KIND_WHOLE, UNIT_COUNT, 1, 128,
                        .help = "at least N volumes in the group" },
    [OPT_MONTH] = { "month", "YYYY-MM", KIND_TEXT, .help = "only lines of this month" },
    [OPT_NETWORK_EFFICIENCY] = { "network-efficiency", "F", KIND_QUANTITY, UNIT_NONE, 0.1, 1,
                                 .help = "redo bytes over bytes on the line to a standby" },
    [OPT_OUT] = { "out", "DIR", KIND_TEXT,
                  .help = "folder for --facts to write: of prices (facts-DATE), of instance types "
                          "(none)" },
    [OPT_OUT_FILE] = { "out", "FILE", KIND_TEXT, .help = "the page to write; --json needs none",
                       .letter = 'o' },
    [OPT_PEAK_FACTOR] = { "peak-factor", "F", KIND_QUANTITY, UNIT_NONE, 1, 1000,
                          .help = "peak over average, where only averages were measured (10 for "
                                  "hours, 2 up to 10 minutes)" },
    [OPT_PER_VOLUME_USD] = { "per-volume-usd", "USD", KIND_QUANTITY, UNIT_USD, 0, 1e6,
                             .help = "what every volume after a group's first must earn a month; "
                                     "counts in the ranking, not in the price" },
    [OPT_PERCENTILE] = { "percentile", "P", KIND_QUANTITY, UNIT_PCT, 1, 100,
                         .help = "size for what the load is below in P % of the time, not for its "
                                 "maximum" },
    [OPT_PERIOD] = { "period", "S", KIND_CHOICE, .choices = periods,
                     .help = "seconds between points, no less (the finest that CloudWatch still "
                             "has)" },
    [OPT_PHASE] = { "phase", "DATE:CHANGE...", KIND_TEXT,
                    .help = "changes from a day on, on top of the phases before: "
                            "'2026-03-01:--standbys 12 --growth 10'" },
    [OPT_PHASES] = { "phases", "FILE", KIND_TEXT,
                     .help = "the cheapest volumes over dated phases, a JSON list of "
                             "{\"from\":\"2026-03-01\",\"changes\":[\"--standbys 12\"]}" },
    [OPT_PLAN] = { "plan", "FILE", KIND_TEXT,
                   .help = "the volumes that plan --json wrote to FILE" },
    [OPT_PORT] = { "port", "N", KIND_WHOLE, UNIT_COUNT, 0, 65535,
                   .help = "port of 127.0.0.1 to listen on; 0 takes any that is free" },
    [OPT_POINTS] = { "points", "N", KIND_WHOLE, UNIT_COUNT, 1, 1e6,
                     .help = "stretches of time to show, about" },
    [OPT_REDO_BLOCK] = { "redo-block", "BYTES", KIND_TEXT,
                         .help = "redo blocks of 512, 1024 or 4096 bytes" },
    [OPT_REDUNDANCY] = { "redundancy", "KIND", KIND_CHOICE, .choices = redundancies,
                         .help = "mirroring by ASM: every write reaches 1, 2 or 3 volumes" },
    [OPT_REDUNDANCY_OF_GROUP] = { "redundancy", "GROUP=KIND", KIND_TEXT,
                                  .help = "mirror a group: external, normal or high" },
    [OPT_REQUESTS] = { "requests", "N", KIND_WHOLE, UNIT_COUNT, 0, 1e14,
                       .help = "requests a month to each volume: standard is billed by them" },
    [OPT_RESTORE] = { "restore", "START,HOURS,MIBPS[,GROUP]", KIND_TEXT,
                      .help = "restore data files, from backups in GROUP; START as for --rman" },
    [OPT_RMAN] = { "rman", "START,HOURS,MIBPS[,GROUP]", KIND_TEXT,
                   .help = "back up data files, to GROUP where backups stay on this host; START is "
                           "HH:MM, every day, or 2026-03-01T22:00, once; UTC" },
    [OPT_ROLE_SWAP] = { "role-swap", "NAME", KIND_TEXT,
                        .help = "standby NAME becomes the primary, this host a standby" },
    [OPT_SCRIPT] = { "script", "KIND", KIND_CHOICE, .choices = scripts,
                     .help = "the steps as a shell script of aws ec2 commands, as SQL of ASM, or "
                             "the volumes as Terraform; nothing is run" },
    [OPT_SET] = { "set", "FILE", KIND_TEXT, .help = "check the layout in FILE and keep it" },
    [OPT_SHIFT] = { "shift", "GROUP=HOURS", KIND_TEXT,
                    .help = "the load of a group HOURS later, or earlier with a minus" },
    [OPT_SHOW] = { "show", NULL, KIND_FLAG,
                   .help = "the plans that the store keeps; plan nothing" },
    [OPT_SIZE] = { "size", "N", KIND_WHOLE, UNIT_GIB, 1, 1e9,
                   .help = "size, GiB; other units are converted (2TiB)" },
    [OPT_SPLIT] = { "split", "KIB", KIND_TEXT,
                    .help = "no request beyond KIB, as max_sectors_kb cuts them" },
    [OPT_STANDBYS] = { "standbys", "N", KIND_TEXT,
                       .help = "N standbys in all: new ones are fed by the primary" },
    [OPT_START] = { "start", "TIME", KIND_TIME,
                    .help = "when the change begins (the best full hour on the day of --as-of)" },
    [OPT_SYSTEM] = { "system", "NAME", KIND_TEXT,
                     .help = "system under study; needless when the store has one" },
    [OPT_THROUGHPUT] = { "throughput", "N", KIND_QUANTITY, UNIT_MIBPS, 0, 1e9,
                         .help = "throughput, MiB/s; other units are converted (1.05GB/s)" },
    [OPT_THROUGHPUT_MB_S] = { "throughput", "N", KIND_QUANTITY, UNIT_MB_S, 0, 1e9,
                              .help = "throughput, decimal MB/s as EC2 counts it; other units are "
                                      "converted (600MiB/s)" },
    [OPT_TO] = { "to", "TIME", KIND_TIME, .help = "only what was measured before then" },
    [OPT_TOP] = { "top", "N", KIND_WHOLE, UNIT_COUNT, 1, 100000, .help = "show N rows" },
    [OPT_TYPES] = { "types", "LIST", KIND_TYPES, .help = "volume types to choose from" },
    [OPT_TZ] = { "tz", "ZONE", KIND_TEXT,
                 .help = "zone of times that name none: +02:00 or Europe/Berlin (UTC)" },
    [OPT_VCPU] = { "vcpu", "N", KIND_WHOLE, UNIT_COUNT, 1, 1e6, .help = "at least N vCPUs" },
    [OPT_VOLUMES] = { "volumes", "N", KIND_WHOLE, UNIT_COUNT, 1, 1000,
                      .help = "room for N volumes, the root volume among them" },
    [OPT_WAY] = { "way", "NAME", KIND_CHOICE, .choices = ways,
                  .help = "show the steps of this way (the best)" },
    [OPT_WEIGHTING] = { "weighting", "NAME", KIND_CHOICE, .choices = weightings,
                        .help = "bandwidth weighting of the instance" },
    [OPT_WITH] = { "with", "SYSTEM...", KIND_TEXT,
                   .help = "load of other systems on the same host, summed at the same instant" },
    [OPT_WRITE_PCT] = { "write-pct", "P", KIND_QUANTITY, UNIT_PCT, 0, 100,
                        .help = "part of the need that is writing: mirroring multiplies it" },
};

char *option_usage(char buf[64], const struct option *o)
{
    char letter[8] = "";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(buf, 64, "%s--%s%s%s", letter, o->name, o->arg ? " " : "", o->arg ? o->arg : "");
    return buf;
}

static int parse_quantity(const struct option *o, const char *text, struct option_value *v,
                          struct err *e)
{
    int rc = unit_parse(span_of(text), o->unit, &v->number, e);
    if (rc)
        return rc;
    double held = v->number;
    if (o->kind == KIND_WHOLE) {
        /* One part in 1e12 is rounding of the conversion, not a part of a unit. */
        held = ceil(v->number * (1 - 1e-12));
        v->whole = (int64_t)held; /* unit_parse refuses what is beyond 1e15 */
        if (o->unit == UNIT_COUNT && held > v->number * (1 + 1e-12))
            return err_set(e, ERR_USAGE, "'%.80s' is not a whole number", text);
    }
    if (held < o->min || held > o->max) {
        char low[48], high[48];
        return err_set(e, ERR_USAGE, "%.80s is not between %s and %s", text,
                       unit_format(low, o->min, o->min < 1 && o->min > 0 ? 3 : 0),
                       unit_format(high, o->max, 0));
    }
    return 0;
}

static int parse_choice(const struct option *o, const char *text, struct option_value *v,
                        struct err *e)
{
    char list[120], hint[96];
    size_t at = 0;
    struct nearest near = { .word = text };
    for (int64_t i = 0; o->choices[i]; i++) {
        if (strcmp(text, o->choices[i]) == 0) {
            v->whole = i;
            return 0;
        }
        nearest_try(&near, o->choices[i]);
        int n = snprintf(list + at, sizeof list - at, "%s%s", i ? ", " : "", o->choices[i]);
        at += n > 0 && (size_t)n < sizeof list - at ? (size_t)n : 0;
    }
    return err_set(e, ERR_USAGE, "'%.80s' is none of %s%s", text, list,
                   nearest_hint(hint, &near, ""));
}

static int parse_date(const struct option *o, const char *text, struct option_value *v,
                      struct err *e)
{
    struct span s = span_of(text);
    bool zoned;
    int bad = o->kind == KIND_DATE ? time_parse_date(&s, &v->whole)
                                   : time_parse_iso(&s, &v->whole, &zoned);
    if (bad || s.len)
        return err_set(e, ERR_USAGE, "'%.80s' is no %s", text,
                       o->kind == KIND_DATE ? "date: write YYYY-MM-DD"
                                            : "time: write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ");
    return 0;
}

static int parse_types(const char *text, struct option_value *v, struct err *e)
{
    struct span rest = span_of(text), name;
    v->whole = 0;
    while (span_field(&rest, ',', &name) == 0) {
        enum volume_type t;
        if (volume_type_parse(span_trim(name), &t))
            return err_set(e, ERR_USAGE,
                           "'%.*s' is no volume type: gp3, gp2, io2, io1, st1, sc1, standard",
                           SPAN_ARG(name));
        v->whole |= INT64_C(1) << t;
    }
    return 0;
}

int option_parse(const struct option *o, const char *text, struct option_value *out, struct err *e)
{
    struct option_value v = { .set = true, .text = text };
    int rc = 0;
    if (o->kind != KIND_FLAG && o->kind != KIND_TEXT_OR_NONE && !*text)
        return err_set(e, ERR_USAGE, "the value is empty");
    switch (o->kind) {
    case KIND_FLAG:
    case KIND_TEXT:
    case KIND_TEXT_OR_NONE:
        break;
    case KIND_QUANTITY:
    case KIND_WHOLE:
        rc = parse_quantity(o, text, &v, e);
        break;
    case KIND_DATE:
    case KIND_TIME:
        rc = parse_date(o, text, &v, e);
        break;
    case KIND_CHOICE:
        rc = parse_choice(o, text, &v, e);
        break;
    case KIND_TYPES:
        rc = parse_types(text, &v, e);
        break;
    }
    if (!rc)
        *out = v;
    return rc;
}
