/* cli/command.c - see command.h. */
#include "cli/command.h"

#include "cli/cmd/cmd.h"
#include "data/ingest/format.h"

#include <string.h>

/* What a plan is chosen by, in every command that makes one. */
/* clang-format off */
#define VOLUME_CHOICE_OPTIONS \
    { OPT_HEADROOM, "20" }, { OPT_INSTANCE, NULL }, { OPT_PEAK_FACTOR, NULL }, { OPT_TYPES, NULL }, \
    { OPT_WEIGHTING, "default" }, { OPT_TOP, "10" }, { OPT_PER_VOLUME_USD, "5" }
#define INSTANCE_CHOICE_OPTIONS { OPT_VCPU, NULL }, { OPT_MEMORY, NULL }, { OPT_ARCH, NULL }
#define WAITING_OPTIONS { OPT_PERCENTILE, NULL }, { OPT_MAX_THROTTLED_S, NULL }, { OPT_MAX_DELAY_MS, NULL }
/* clang-format on */

static const struct command_option catalog_options[] = { { OPT_DIFF, NULL } };
static const struct command_option change_options[] = {
    { OPT_SYSTEM, NULL },  { OPT_WITH, NULL },   { OPT_FROM, NULL }, { OPT_TO, NULL },
    { OPT_PLAN, NULL },    { OPT_SCRIPT, NULL }, { OPT_WAY, NULL },  { OPT_START, NULL },
    VOLUME_CHOICE_OPTIONS, WAITING_OPTIONS,
};
static const struct command_option diagnose_options[] = {
    { OPT_SYSTEM, NULL },   { OPT_TZ, NULL },     { OPT_DATE, NULL },
    { OPT_INTERVAL, NULL }, { OPT_FORMAT, NULL }, { OPT_MAX_EXPAND, NULL },
};
static const struct command_option export_options[] = {
    { OPT_SYSTEM, NULL },
    { OPT_FROM, NULL },
    { OPT_TO, NULL },
    { OPT_METRICS, NULL },
};
static const struct command_option fetch_options[] = {
    { OPT_SYSTEM, NULL },     { OPT_FROM, NULL }, { OPT_TO, NULL },
    { OPT_PERIOD, NULL },     { OPT_OUT, NULL },  { OPT_ENDPOINT_URL, NULL },
    { OPT_IAM_POLICY, NULL },
};
static const struct command_option ingest_options[] = {
    { OPT_SYSTEM, NULL },   { OPT_TZ, NULL },     { OPT_DATE, NULL },
    { OPT_INTERVAL, NULL }, { OPT_FORMAT, NULL }, { OPT_MAX_EXPAND, NULL },
};
static const struct command_option inspect_options[] = {
    { OPT_FORMAT, NULL }, { OPT_DATE, NULL },       { OPT_INTERVAL, NULL },
    { OPT_TZ, NULL },     { OPT_MAX_EXPAND, NULL },
};
static const struct command_option instance_options[] = {
    { OPT_THROUGHPUT_MB_S, NULL }, { OPT_IOPS, NULL },        { OPT_VCPU, NULL },
    { OPT_MEMORY, NULL },          { OPT_ARCH, NULL },        { OPT_VOLUMES, NULL },
    { OPT_WEIGHTING, "default" },  { OPT_ALLOW_BURST, NULL }, { OPT_TOP, "10" },
};
static const struct command_option layout_options[] = {
    { OPT_SYSTEM, NULL },
    { OPT_INIT, NULL },
    { OPT_SET, NULL },
};
static const struct command_option peaks_options[] = {
    { OPT_SYSTEM, NULL }, { OPT_WITH, NULL }, { OPT_GROUP, NULL },       { OPT_BY, "group" },
    { OPT_FROM, NULL },   { OPT_TO, NULL },   { OPT_PEAK_FACTOR, NULL },
};
static const struct command_option plan_options[] = {
    { OPT_ALL, NULL },    { OPT_SYSTEM, NULL },  { OPT_WITH, NULL },      { OPT_FROM, NULL },
    { OPT_TO, NULL },     VOLUME_CHOICE_OPTIONS, INSTANCE_CHOICE_OPTIONS, WAITING_OPTIONS,
    { OPT_PHASES, NULL }, { OPT_SHOW, NULL },
};
static const struct command_option reconcile_options[] = {
    { OPT_BILL, NULL },    { OPT_MONTH, NULL },   { OPT_SYSTEM, NULL }, { OPT_ACCOUNT, NULL },
    { OPT_DISCOUNT, "0" }, { OPT_HEADROOM, "0" }, { OPT_TYPES, NULL },  { OPT_MAX_EXPAND, NULL },
};
static const struct command_option replay_options[] = {
    { OPT_SYSTEM, NULL },   { OPT_WITH, NULL }, { OPT_GROUP_SPEC, NULL },
    { OPT_INSTANCE, NULL }, { OPT_PLAN, NULL },
};
static const struct command_option report_options[] = {
    { OPT_OUT_FILE, NULL }, { OPT_SYSTEM, NULL },  { OPT_WITH, NULL },      { OPT_FROM, NULL },
    { OPT_TO, NULL },       VOLUME_CHOICE_OPTIONS, INSTANCE_CHOICE_OPTIONS, WAITING_OPTIONS,
};
static const struct command_option serve_options[] = { { OPT_PORT, "8765" } };
static const struct command_option series_options[] = {
    { OPT_SYSTEM, NULL },  { OPT_WITH, NULL },      { OPT_GROUP, NULL },
    { OPT_FROM, NULL },    { OPT_TO, NULL },        { OPT_POINTS, "48" },
    VOLUME_CHOICE_OPTIONS, INSTANCE_CHOICE_OPTIONS, WAITING_OPTIONS,
};
static const struct command_option size_options[] = {
    { OPT_IOPS, NULL },      { OPT_THROUGHPUT, NULL }, { OPT_SIZE, NULL },
    { OPT_IO_SIZE, NULL },   { OPT_TYPES, "gp3,io2" }, { OPT_MAX_COUNT, "16" },
    { OPT_MIN_COUNT, "1" },  { OPT_HEADROOM, "0" },    { OPT_REDUNDANCY, "external" },
    { OPT_WRITE_PCT, NULL }, { OPT_INSTANCE, NULL },   { OPT_PER_VOLUME_USD, "0" },
    { OPT_TOP, "10" },
};
static const struct command_option store_options[] = {
    { OPT_BEFORE, NULL },
    { OPT_CITUS, NULL },
    { OPT_DRY_RUN, NULL },
    { OPT_FDW, NULL },
};
static const struct command_option vol_options[] = {
    { OPT_SIZE, NULL },    { OPT_IOPS, NULL },     { OPT_THROUGHPUT, NULL }, { OPT_COUNT, "1" },
    { OPT_IO_SIZE, NULL }, { OPT_INSTANCE, NULL }, { OPT_REQUESTS, NULL },
};

static const struct command_option whatif_options[] = {
    { OPT_ADD_STANDBY, NULL },  { OPT_DROP_STANDBY, NULL },
    { OPT_STANDBYS, NULL },     { OPT_CASCADE, NULL },
    { OPT_FARSYNC, NULL },      { OPT_ROLE_SWAP, NULL },
    { OPT_MEMBERS, NULL },      { OPT_REDO_BLOCK, NULL },
    { OPT_GROWTH, NULL },       { OPT_REDUNDANCY_OF_GROUP, NULL },
    { OPT_MERGE_LOSS, NULL },   { OPT_SPLIT, NULL },
    { OPT_RMAN, NULL },         { OPT_RESTORE, NULL },
    { OPT_SHIFT, NULL },        { OPT_INSTANCE, NULL },
    { OPT_PHASE, NULL },        { OPT_NETWORK_EFFICIENCY, "0.7" },
    { OPT_SYSTEM, NULL },       { OPT_WITH, NULL },
    { OPT_FROM, NULL },         { OPT_TO, NULL },
    { OPT_HEADROOM, "20" },     { OPT_PEAK_FACTOR, NULL },
    { OPT_TYPES, NULL },        { OPT_WEIGHTING, "default" },
    { OPT_TOP, "10" },          { OPT_PER_VOLUME_USD, "5" },
    { OPT_PERCENTILE, NULL },   { OPT_MAX_THROTTLED_S, NULL },
    { OPT_MAX_DELAY_MS, NULL },
};

static const struct command_example catalog_examples[] = {
    { "volplan catalog", "rules, prices and instance types that are built in" },
    { "volplan catalog --diff 2022-06-01 2026-01-01", "what AWS changed in between" },
};
static const struct command_example change_examples[] = {
    { "volplan change", "the ways from today's volumes to the plan, and the steps of the best" },
    { "volplan change --plan plan.json --way asm_keep --script aws >change.sh",
      "another way, to a plan that was kept, as a script to read and run" },
};
static const struct command_example completion_examples[] = {
    { "volplan completion bash >volplan.bash", "to be sourced" },
};
static const struct command_example diagnose_examples[] = {
    { "volplan diagnose", "what is wrong with the system in the store" },
    { "volplan diagnose iostat.txt awrrpt_1_101_102.html layout.json",
      "with these files, keeping nothing" },
};
static const struct command_example export_examples[] = {
    { "volplan export --system PRD1 >samples.csv", "every sample of its devices" },
    { "volplan export --metrics --from 2026-11-01 --to 2026-11-02", "a day of CloudWatch" },
};
static const struct command_example fetch_examples[] = {
    { "volplan fetch volumes --system PRD1",
      "volumes, their changes, and the instances they are on" },
    { "volplan fetch cloudwatch --system PRD1 --from 2026-11-01",
      "their metrics since then, in the finest periods that are kept" },
    { "volplan fetch prices --region eu-west-1", "today's price list, for --facts" },
    { "volplan fetch --iam-policy", "the permissions to ask for" },
};
static const struct command_example ingest_examples[] = {
    { "volplan ingest --system PRD1 awr/ iostat.txt", "load a folder of AWR reports and a file" },
};
static const struct command_example inspect_examples[] = {
    { "volplan inspect awrrpt_1_101_102.html", "what is in a report, without a store" },
    { "volplan inspect --csv iostat.txt", "every sample as a row" },
};
static const struct command_example instance_examples[] = {
    { "volplan instance r5.8xlarge", "what this type passes to EBS" },
    { "volplan instance --throughput 1200MiB/s --iops 40K --memory 256",
      "the cheapest types that carry this" },
};
static const struct command_example layout_examples[] = {
    { "volplan layout --init >layout.json", "a first guess, to be completed" },
    { "volplan layout --set layout.json", "keep it" },
};
static const struct command_example peaks_examples[] = {
    { "volplan peaks", "what each disk group had to carry" },
    { "volplan peaks --by device --from 2022-05-18T07:00:00Z", "each device, since then" },
    { "volplan peaks --system PRD1 --with PRD2", "two systems on one host" },
};
static const struct command_example plan_examples[] = {
    { "volplan plan", "volumes for every disk group, and the verdict on the instance" },
    { "volplan plan --as-of 2022-06-01 --headroom 30", "under the rules of that day" },
    { "volplan plan --all --csv", "every system of the store, as a list" },
    { "volplan plan --instance auto --memory 512", "the cheapest instance with its volumes" },
};
static const struct command_example reconcile_examples[] = {
    { "volplan reconcile --bill cur-2022-06-00001.csv.gz cur-2022-06-00002.csv.gz",
      "a bill of two parts: what it should have been" },
    { "volplan reconcile --bill focus.csv --month 2026-02 --discount 9 --csv",
      "every line of a month against list prices less 9 %" },
};
static const struct command_example replay_examples[] = {
    { "volplan replay", "the measured load through today's volumes" },
    { "volplan replay --group REDO1=2xio2:250GiB:5000 --instance r6i.large",
      "a group on other volumes, all on another instance" },
    { "volplan replay --plan plan.json --json --verbose",
      "through a plan, every interval with what binds in it" },
};
static const struct command_example report_examples[] = {
    { "volplan report -o prd1.html", "a page that needs no network: open it, mail it, print it" },
    { "volplan report --from 2022-05-18T07:00:00Z --to 2022-05-18T10:00:00Z -o morning.html",
      "of what was measured in these hours" },
    { "volplan report --json", "what is in the page, for a program" },
};
static const struct command_example serve_examples[] = {
    { "volplan serve", "open the printed address in a browser on this machine" },
    { "volplan serve --port 0 --as-of 2022-06-01", "on a free port, under the rules of that day" },
};
static const struct command_example series_examples[] = {
    { "volplan series --group REDO1 --from 2022-05-18T07:00:00Z --to 2022-05-18T08:00:00Z",
      "an hour of a group, and what is at a ceiling in it" },
    { "volplan series --points 1000 --json", "all groups and the host, to be drawn" },
};
static const struct command_example size_examples[] = {
    { "volplan size --throughput 1000 --iops 417 --size 500", "the cheapest volumes for this" },
};
static const struct command_example store_examples[] = {
    { "volplan store check", "how large it is, and whether it is sound" },
    { "volplan store rollup --before 2025-01-01 --dry-run", "what thinning out would spare" },
    { "volplan store copy volplan.db postgresql://db.example/volplan", "to the store of a team" },
    { "volplan store init --db postgresql://db.example/volplan --fdw db1,db2,db3",
      "a new store, kept by three more servers" },
};
static const struct command_example systems_examples[] = {
    { "volplan systems", "what can be named with --system" },
};
static const struct command_example vol_examples[] = {
    { "volplan vol io2 --size 500 --iops 5000 --as-of 2022-06-01",
      "what this volume carried and cost in 2022" },
    { "volplan vol gp3 --size 1TiB --iops 16K --throughput 1GB/s --count 4", "a stripe of four" },
};
static const struct command_example whatif_examples[] = {
    { "volplan whatif --standbys 8", "two more than the six there are" },
    { "volplan whatif --add-standby dr3:send=60,rtt=80 --cascade dr2=dr1", "several at once" },
    { "volplan whatif --rman 22:00,4,200 --merge-loss DATA:1",
      "a nightly backup, and a disk of DATA whose requests are no longer merged" },
    { "volplan whatif --phase '2026-03-01:--standbys 12' --phase '2026-06-01:--standbys 3'",
      "old and new standbys together, then fewer" },
};

#define OPTIONS(list)  .options = (list), .n_options = sizeof(list) / sizeof *(list)
#define EXAMPLES(list) .examples = (list), .n_examples = sizeof(list) / sizeof *(list)

enum { MANY = 100000 };

const struct command command_table[] = {
    { "catalog", "[--diff DATE DATE]", "which rules, prices and instance types are known", 0, 2,
      CAN_CSV, OPTIONS(catalog_options), NULL, EXAMPLES(catalog_examples), cmd_catalog },
    { "change", "[--with SYSTEM...]", "dated steps from today's volumes to the plan, and back", 0,
      MANY, NEED_STORE_READ | CAN_CSV, OPTIONS(change_options),
      "The plan is that of --plan, else made as volplan plan makes it, with its options. Today's "
      "volumes are the layout's. Moving data takes what the measured load leaves. Nothing is run. "
      "Exit status 1 when there is no plan, or no way to it.",
      EXAMPLES(change_examples), cmd_change },
    { "completion", "bash|zsh|fish", "a script that completes commands, options and values", 1, 1,
      NEED_NOTHING, NULL, 0,
      "bash: source <(volplan completion bash), in ~/.bashrc. zsh: volplan completion zsh "
      ">_volplan in a folder of fpath, before compinit. fish: volplan completion fish "
      ">~/.config/fish/completions/volplan.fish. make install does it for all users.",
      EXAMPLES(completion_examples), cmd_completion },
    { "diagnose", "[FILE...]", "what is wrong, the evidence, and what it is not", 0, MANY, CAN_CSV,
      OPTIONS(diagnose_options),
      "With FILEs these are looked at and nothing is kept; a layout may be one of them. Without a "
      "layout the groups are guessed from loads that are alike. Exit status 1 when there is a "
      "finding of severity error.",
      EXAMPLES(diagnose_examples), cmd_diagnose },
    { "export", "", "samples out of the store, as CSV", 0, 0, NEED_STORE_READ | CAN_CSV,
      OPTIONS(export_options),
      "One row a sample, device by device; docs/store.md explains the columns. A sample belongs "
      "to --from and --to by its beginning, so that ranges side by side share no row. With --json "
      "the same as one object.",
      EXAMPLES(export_examples), cmd_export },
    { "fetch", "[volumes | cloudwatch | instance-types | prices]",
      "read AWS directly, into the store", 0, 1, CAN_CSV | OWN_REGION, OPTIONS(fetch_options),
      "Credentials come from where AWS tools take them: environment, ~/.aws (AWS_PROFILE), "
      "container, instance. The region is that of --region, AWS_REGION or the profile. Only reads. "
      "prices needs no credentials; it writes a folder for --facts, with --region all of every "
      "region. Ctrl-C keeps what has come whole, says how to go on, and the exit status is 130.",
      EXAMPLES(fetch_examples), cmd_fetch },
    { "help", "[COMMAND]", "what a command does", 0, 1, NEED_NOTHING, NULL, 0, NULL, NULL, 0,
      cmd_help },
    { "ingest", "PATH...", "load files, folders and archives into the store", 1, MANY,
      NEED_STORE_CREATE | CAN_CSV, OPTIONS(ingest_options),
      "The format is found out from the content. Without --system the host named in the file is "
      "the system. Loading a file again changes nothing; a bad file does not stop the others.",
      EXAMPLES(ingest_examples), cmd_ingest },
    { "inspect", "FILE...", "what is in a file, storing nothing", 1, MANY, CAN_CSV,
      OPTIONS(inspect_options), NULL, EXAMPLES(inspect_examples), cmd_inspect },
    { "instance", "[TYPE...]", "what instance types carry, or the cheapest for a need", 0, MANY,
      CAN_CSV, OPTIONS(instance_options),
      "Bandwidth of instances is decimal MB/s. A need is held against the baseline that a type "
      "sustains. Prices are Linux On-Demand in us-east-1; elsewhere they only rank.",
      EXAMPLES(instance_examples), cmd_instance },
    { "layout", "", "which files and devices make which disk group", 0, 0, NEED_NOTHING,
      OPTIONS(layout_options), NULL, EXAMPLES(layout_examples), cmd_layout },
    { "peaks", "[--with SYSTEM...]", "what was measured", 0, MANY, NEED_STORE_READ | CAN_CSV,
      OPTIONS(peaks_options),
      "Each row has percentiles by time, hours and weekdays (UTC), coverage, what was set apart "
      "and "
      "the bounds of the worst second (--json). --with takes one or more systems: their groups go "
      "to "
      "the group of the same name, else to the only one of the same role, else they stay apart.",
      EXAMPLES(peaks_examples), cmd_peaks },
    { "plan", "[--with SYSTEM...]", "volumes for every disk group of a system, and what they cost",
      0, MANY, NEED_STORE_READ | CAN_CSV, OPTIONS(plan_options),
      "--instance auto chooses the instance with the volumes: the least sum of its price and what "
      "the volumes rank at, with the CPU, memory and architecture of the layout's instance unless "
      "--vcpu, --memory and --arch say others (x86_64 where neither does). Instance types carry no "
      "launch dates: --as-of does not filter them. Volume types are those of the layout's "
      "policies, else gp3 and io2, unless --types names others.",
      EXAMPLES(plan_examples), cmd_plan },
    { "reconcile", "--bill FILE...", "a bill against list prices, and what of it was needed", 0,
      MANY, CAN_CSV, OPTIONS(reconcile_options),
      "Lines are summed by volume and usage type; a cause stands with every difference. Exit "
      "status "
      "1 when more than half a cent stays unexplained. Where the store has what the volumes "
      "carried, what would have done is sized by the rules of the bill's month, with the volume's "
      "own type unless --types names others.",
      EXAMPLES(reconcile_examples), cmd_reconcile },
    { "replay", "[--with SYSTEM...]",
      "the measured load through volumes and an instance: what waits, and for what", 0, MANY,
      NEED_STORE_READ | CAN_CSV, OPTIONS(replay_options),
      "Without options today's volumes, under the rules of each sample's day, and whether the "
      "model "
      "reproduces what was measured on them. --group may be given several times; --verbose adds "
      "the "
      "intervals: in text those that wait, in JSON all.",
      EXAMPLES(replay_examples), cmd_replay },
    { "report", "[--with SYSTEM...]", "everything about a system on one page that explains itself",
      0, MANY, NEED_STORE_READ, OPTIONS(report_options),
      "One file of HTML with the load over time and every ceiling, the plan and what lost against "
      "it, the redo path, findings, the change, the bill that was ingested, and where every number "
      "comes from. It loads nothing from anywhere. --from and --to bound the load that all of it "
      "is made from. A part that cannot be made says what it lacks.",
      EXAMPLES(report_examples), cmd_report },
    { "series", "[--with SYSTEM...]", "the load over time, and where it is at a ceiling", 0, MANY,
      NEED_STORE_READ, OPTIONS(series_options),
      "The time from --from to --to in at most about --points stretches. What stands for one is "
      "the "
      "interval in it whose load is highest, so no peak is lost. The plan whose ceilings are told "
      "(--json) is that of volplan plan with the same options, of all that was measured. Without "
      "--group the host: the sum of all groups.",
      EXAMPLES(series_examples), cmd_series },
    { "serve", "", "the report as a live page on this machine, and every answer as JSON", 0, 0,
      NEED_NOTHING, OPTIONS(serve_options),
      "Only this machine reaches it (127.0.0.1); nothing is written. From another machine forward "
      "the port: ssh -L 8765:127.0.0.1:8765 HOST. The addresses are in docs/api.md. Ctrl-C or "
      "SIGTERM ends it.",
      EXAMPLES(serve_examples), cmd_serve },
    { "size", "", "the cheapest volumes for a given need", 0, 0, CAN_CSV, OPTIONS(size_options),
      NULL, EXAMPLES(size_examples), cmd_size },
    { "store", "check | copy FROM TO | init | prune | rollup | upgrade",
      "look after the store: check, copy, thin out, remove what is old", 1, 3, CAN_CSV,
      OPTIONS(store_options),
      "rollup thins out samples and values of metrics before --before: the highest of every hour, "
      "of each device, volume and disk group, stays as it was measured, the rest becomes means. "
      "prune removes what ends before it. Each is one transaction. check reads every block; exit "
      "status 1 when there is a problem. copy goes on where one was broken off. init --fdw and "
      "--citus spread a new store on a PostgreSQL server over more servers (docs/fleets.md).",
      EXAMPLES(store_examples), cmd_store },
    { "systems", "", "which systems the store holds, since when, and their disk groups", 0, 0,
      NEED_STORE_READ | CAN_CSV, NULL, 0, NULL, EXAMPLES(systems_examples), cmd_systems },
    { "version", "", "the version", 0, 0, NEED_NOTHING, NULL, 0, NULL, NULL, 0, cmd_version },
    { "vol", "TYPE", "what a volume, or a stripe of equal ones, can carry and costs", 1, 1,
      NEED_NOTHING, OPTIONS(vol_options),
      "TYPE is gp3, gp2, io2, io1, st1, sc1 or standard. gp3 starts at 3 000 IOPS and 125 MiB/s; "
      "io1 and io2 need --iops, only gp3 takes --throughput.",
      EXAMPLES(vol_examples), cmd_vol },
    { "whatif", "[--with SYSTEM...]", "what a change of standbys, logs or load does to the volumes",
      0, MANY, NEED_STORE_READ | CAN_CSV, OPTIONS(whatif_options),
      "Any of the changes, several at once, each as often as needed. Every load is given as lower, "
      "central and upper; the plan is made for central.",
      EXAMPLES(whatif_examples), cmd_whatif },
};
const size_t command_count = sizeof command_table / sizeof *command_table;

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(command_table[i].name, name) == 0)
            return &command_table[i];
    return NULL;
}

bool command_takes(const struct command *c, enum option_id id)
{
    bool takes = option_table[id].global;
    for (size_t i = 0; c && i < c->n_options; i++)
        takes |= c->options[i].id == id;
    return takes;
}

bool command_reads(const struct command *c, const struct format *f)
{
    return command_takes(c, OPT_FORMAT) && (!f->not_kept || strcmp(c->name, "inspect") == 0);
}
