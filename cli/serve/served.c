/* cli/serve/served.c - see served.h. */
#include "cli/serve/served.h"

static const char *const commands[] = {
    "catalog", "change", "diagnose", "instance", "peaks",   "plan",
    "replay",  "report", "series",   "size",     "systems", "whatif",
};

/* clang-format off */
static const enum option_id options[] = {
    OPT_AS_OF, OPT_REGION, OPT_VERBOSE,
    OPT_ADD_STANDBY, OPT_ALLOW_BURST, OPT_ARCH, OPT_BY, OPT_CASCADE, OPT_DROP_STANDBY, OPT_FARSYNC,
    OPT_FROM, OPT_GROUP, OPT_GROUP_SPEC, OPT_GROWTH, OPT_HEADROOM, OPT_INSTANCE, OPT_IO_SIZE,
    OPT_IOPS, OPT_MAX_COUNT, OPT_MAX_DELAY_MS, OPT_MAX_THROTTLED_S, OPT_MEMBERS, OPT_MEMORY,
    OPT_MERGE_LOSS, OPT_MIN_COUNT, OPT_NETWORK_EFFICIENCY, OPT_PEAK_FACTOR, OPT_PER_VOLUME_USD,
    OPT_PERCENTILE, OPT_PHASE, OPT_POINTS, OPT_REDO_BLOCK, OPT_REDUNDANCY, OPT_REDUNDANCY_OF_GROUP,
    OPT_RESTORE, OPT_RMAN, OPT_ROLE_SWAP, OPT_SCRIPT, OPT_SHIFT, OPT_SIZE, OPT_SPLIT, OPT_STANDBYS,
    OPT_START, OPT_SYSTEM, OPT_THROUGHPUT, OPT_THROUGHPUT_MB_S, OPT_TO, OPT_TOP, OPT_TYPES,
    OPT_VCPU, OPT_VOLUMES, OPT_WAY, OPT_WEIGHTING, OPT_WITH, OPT_WRITE_PCT,
};
/* clang-format on */

const struct command *command_served(struct span path)
{
    static const char root[] = "/api/";
    if (!span_starts(path, root))
        return NULL;
    path.ptr += sizeof root - 1;
    path.len -= sizeof root - 1;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (span_is(path, commands[i]))
            return command_find(commands[i]);
    return NULL;
}

static bool is_listed(enum option_id id)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i] == id)
            return true;
    return false;
}

bool option_served(const struct command *c, struct span name)
{
    for (size_t i = 0; i < c->n_options; i++)
        if (span_is(name, option_table[c->options[i].id].name))
            return is_listed(c->options[i].id);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].global && span_is(name, option_table[i].name))
            return is_listed((enum option_id)i);
    return true;
}
