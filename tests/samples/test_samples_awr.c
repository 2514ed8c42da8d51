/* tests/samples/test_samples_awr.c - public AWR reports against what was read in them by hand.
 *
 * ../shared/samples/awr/TRUTH.json says what the reports print.  Every figure that it gives of
 * file types, functions, load profile, IO profile, events, statistics and period must come out of
 * the parser, of one instance, a cluster, two periods and Statspack alike.  Figures that may differ
 * are listed in `exceptions`, each with its reason; cores, sockets, memory, sessions, role and
 * snapshot numbers have no place in a snapshot and are not compared.  Every file of MANIFEST.tsv
 * must load as what it is, or be refused with one line that says why. */
#include "tests/samples/awr_sample.h"
#include "tests/samples/awr_sample_kinds.h"

/* --- the sections ----------------------------------------------------------------------------- */

static void compare_header(struct sample *x)
{
    const cJSON *t = x->truth;
    double cpus = x->s.cpus;
    compare_text(x, "release", x->s.release, at(t, "release"));
    compare_text(x, "platform", x->s.platform, at(t, "platform"));
    compare_text(x, "host", x->s.host, at(t, "host"));
    compare_num(x, "header", "cpus", cpus, at(t, "cpus"));
    if (cJSON_IsString(at(t, "db_name")))
        compare_text(x, "db_name", x->s.db_name, at(t, "db_name"));
    if (cJSON_IsString(at(t, "instance")))
        compare_text(x, "instance", x->s.instance, at(t, "instance"));
    const char *rac = text_of(t, "rac", "");
    int want_rac = strcmp(rac, "YES") == 0 ? 1 : *rac ? 0 : -1;
    x->n_compared++;
    if (x->s.rac != want_rac)
        wrong(x, "header", "rac", "another", rac);
    double number = x->s.instance_number == UNKNOWN ? NAN : (double)x->s.instance_number;
    const char *printed = text_of(t, "inst_num", ""); /* a text in the truths of HTML */
    cJSON *as_number = *printed ? cJSON_CreateNumber(strtod(printed, NULL)) : NULL;
    compare_num(x, "header", "inst_num", number, as_number ? as_number : at(t, "inst_num"));
    cJSON_Delete(as_number);
    double dbid = x->s.db_id == UNKNOWN ? NAN : (double)x->s.db_id;
    const cJSON *want = at(t, "dbid");
    x->n_compared++;
    if (cJSON_IsString(want) ? dbid != strtod(want->valuestring, NULL) : !isnan(dbid))
        wrong(x, "header", "dbid", "?", "?");
    compare_num(x, "period", "elapsed_s", x->s.elapsed_s, at(t, "elapsed_s_from_times"));
    cJSON *db_time_s = cJSON_CreateNumber(at(t, "db_time_min")->valuedouble * 60);
    compare_num(x, "period", "db_time_s", x->s.db_time_s, db_time_s);
    cJSON_Delete(db_time_s);
    int64_t begin_ms = UNKNOWN, end_ms = UNKNOWN;
    assert_int_equal(awr_cell_time(span_of(text_of(t, "begin_time", "")), &begin_ms), 0);
    assert_int_equal(awr_cell_time(span_of(text_of(t, "end_time", "")), &end_ms), 0);
    assert_int_equal(x->s.begin_ms, begin_ms);
    assert_int_equal(x->s.end_ms, end_ms);
}

static void compare_io(struct sample *x, const char *section, const struct awr_io_row *rows,
                       size_t n)
{
    static const struct {
        const char *key;
        size_t offset;
        double unit;
    } figures[] = {
        { "read_bytes", offsetof(struct awr_io_row, read_bytes), 1 },
        { "read_reqs_s", offsetof(struct awr_io_row, read_requests_per_s), 1 },
        { "read_mib_s", offsetof(struct awr_io_row, read_bytes_per_s), MIB_BYTES },
        { "write_bytes", offsetof(struct awr_io_row, write_bytes), 1 },
        { "write_reqs_s", offsetof(struct awr_io_row, write_requests_per_s), 1 },
        { "write_mib_s", offsetof(struct awr_io_row, write_bytes_per_s), MIB_BYTES },
        { "small_read_ms", offsetof(struct awr_io_row, small_read_ms), 1 },
        { "large_read_ms", offsetof(struct awr_io_row, large_read_ms), 1 },
        { "waits", offsetof(struct awr_io_row, waits), 1 },
        { "avg_ms", offsetof(struct awr_io_row, wait_avg_ms), 1 },
    };
    const cJSON *list = at(x->truth, section), *row;
    size_t i = 0;
    cJSON_ArrayForEach(row, list)
    {
        const char *name = text_of(row, "name", "");
        assert_true(i < n);
        if (!same_name(rows[i].name, name))
            wrong(x, section, "name", rows[i].name, name);
        for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
            double got;
            memcpy(&got, (const char *)&rows[i] + figures[k].offset, sizeof got);
            char what[120];
            snprintf(what, sizeof what, "%.80s %s", name, figures[k].key);
            got /= figures[k].unit;
            /* the truth has whole bytes, cut off: 2.6G is 2791728742.4 */
            if (strstr(figures[k].key, "_bytes"))
                got = floor(got);
            compare_num(x, section, what, got, at(row, figures[k].key));
        }
        i++;
    }
    if (i != n)
        wrong(x, section, "rows", "other number", "as printed");
}

static void compare_load_profile(struct sample *x)
{
    static const char *const per[] = { "per_s", "per_txn", "per_exec", "per_call" };
    const cJSON *line;
    size_t n = 0;
    cJSON_ArrayForEach(line, at(x->truth, "load_profile"))
    {
        const cJSON *figure;
        int i = 0;
        cJSON_ArrayForEach(figure, line)
        {
            const char *key = awr_load_key(&x->arena, span_of(line->string), per[i++]);
            compare_num(x, "load_profile", key,
                        find_stat(x->s.load_profile, x->s.n_load_profile, key), figure);
            n++;
        }
    }
    if (n != x->s.n_load_profile)
        wrong(x, "load_profile", "figures", "other number", "as printed");
    compare_num(x, "load_profile", "redo",
                find_stat(x->s.load_profile, x->s.n_load_profile, "redo_bytes_per_s"),
                at(x->truth, "redo_bytes_per_s"));
}

static cJSON *number_of(const char *printed, awr_cell_fn *parse)
{
    double v = NAN;
    assert_int_equal(parse(span_of(printed), false, &v), 0);
    return isnan(v) ? cJSON_CreateNull() : cJSON_CreateNumber(v);
}

/* HTML rows of the truth are the cells as printed, under their headings. */
static void compare_event(struct sample *x, const struct awr_event *v, const cJSON *row)
{
    bool raw = at(row, "Event") != NULL;
    const char *name = text_of(row, "event", "Event");
    const char *class = text_of(row, "wclass", "Wait Class");
    const char *avg = text_of(row, "avg_raw", "Avg Wait");
    if (!*avg)
        avg = text_of(row, "Wait Avg(ms)", "Avg wait (ms)");
    if (strncmp(v->name, name, strlen(name)) != 0)
        wrong(x, "event", "name", v->name, name);
    if (strncmp(v->wait_class ? v->wait_class : "", class, strlen(class)) != 0)
        wrong(x, "event", "class", v->wait_class ? v->wait_class : "nothing", class);
    cJSON *avg_ms = number_of(avg, awr_cell_ms);
    compare_num(x, name, "avg_ms", v->avg_ms, avg_ms);
    cJSON_Delete(avg_ms);
    if (!raw) {
        compare_num(x, name, "waits", v->waits, at(row, "waits"));
        compare_num(x, name, "time_s", v->time_s, at(row, "time_s"));
        compare_num(x, name, "pct", v->pct_db_time, at(row, "pct"));
        return;
    }
    cJSON *waits = number_of(text_of(row, "Waits", ""), awr_cell_count);
    cJSON *time_s = number_of(text_of(row, "Total Wait Time (sec)", "Time(s)"), awr_cell_count);
    cJSON *pct = number_of(text_of(row, "% DB time", ""), awr_cell_number);
    compare_num(x, name, "waits", v->waits, waits);
    compare_num(x, name, "time_s", v->time_s, time_s);
    compare_num(x, name, "pct", v->pct_db_time, pct);
    cJSON_Delete(waits);
    cJSON_Delete(time_s);
    cJSON_Delete(pct);
}

static void compare_events(struct sample *x)
{
    const cJSON *row;
    size_t i = 0;
    cJSON_ArrayForEach(row, at(x->truth, "top_events"))
    {
        assert_true(i < x->s.n_events);
        compare_event(x, &x->s.events[i++], row);
    }
    if (i != x->s.n_events)
        wrong(x, "top_events", "rows", "other number", "as printed");
}

static void compare_stats(struct sample *x)
{
    const cJSON *stat;
    cJSON_ArrayForEach(stat, at(x->truth, "instance_activity"))
    {
        double total = NAN, per_s = NAN;
        for (size_t i = 0; i < x->s.n_stats; i++)
            if (strcmp(x->s.stats[i].name, stat->string) == 0) {
                total = x->s.stats[i].total;
                per_s = x->s.stats[i].per_s;
                if (at(stat, "line"))
                    compare_num(x, stat->string, "line", (double)x->s.stats[i].line,
                                at(stat, "line"));
            }
        compare_num(x, stat->string, "total", total, at(stat, "total"));
        compare_num(x, stat->string, "per_s", per_s, at(stat, "per_s"));
    }
}

static void compare_single(struct sample *x)
{
    assert_int_equal(x->n_snapshots, 1);
    compare_header(x);
    compare_io(x, "iostat_filetype", x->s.filetypes, x->s.n_filetypes);
    compare_io(x, "iostat_function", x->s.functions, x->s.n_functions);
    compare_load_profile(x);
    compare_io_profile_of(x, &x->s);
    compare_events(x);
    compare_stats(x);
}

static void one_report(void **state)
{
    memset(&now, 0, sizeof now);
    now.truth = *state;
    const char *kind = text_of(now.truth, "kind", "");
    int rc = read_sample(&now, text_of(now.truth, "file", ""));
    if (rc)
        printf("    %s\n", now.err.text);
    assert_int_equal(rc, 0);
    if (strcmp(kind, "statspack") == 0)
        compare_statspack(&now);
    else if (strcmp(kind, "awr-global-html") == 0)
        compare_cluster(&now);
    else if (strcmp(kind, "awr-diff-text") == 0)
        compare_periods(&now);
    else
        compare_single(&now);
    printf("    %s: %d figures compared, %d wrong, %d warnings\n", now.file, now.n_compared,
           now.n_wrong, now.n_warnings);
    assert_true(now.n_compared > 30);
    arena_release(&now.arena);
    assert_int_equal(now.n_wrong, 0);
}

/* --- every file --------------------------------------------------------------------------------
 */

/* By the kind of MANIFEST.tsv, from its start, or by file: which format it loads as, or what the
 * refusal must say. */
static const struct outcome {
    const char *kind, *format, *refusal;
} outcomes[] = {
    /* notes with the output of lsblk among them */
    { "151_ec2ctx_round2.md", "lsblk", NULL },
    { "awr-text FRAGMENT (10g", NULL, "this is not an AWR report, or a piece of one" },
    { "awr-text FRAGMENT", NULL, "the report is cut short" },
    { "SYNTHETIC-awr-text", NULL, "the report is cut short" },
    { "awr-text", "awr", NULL },
    { "awr-html", "awr", NULL },
    { "awr-global-html", "awr_rac", NULL },
    { "awr-diff-", "awr_diff", NULL },
    { "statspack", "statspack", NULL },
    { "awr-miner-part", NULL, "without its section MAIN-METRICS" },
    { "awr-miner", "awr_miner", NULL },
    { "dbcsi-out", "dbcsi", NULL },
    { "esp-csv", "esp_csv", NULL },
    { "esp-txt", NULL, "text of another kind" },
    { "awr-csv", "perfsheet", NULL },
    { "gcp-dma-csv", "dma_csv", NULL },
    { "lsblk", "lsblk", NULL },
    { "iostat-companion", "iostat", NULL },
    { "slob-db-stats", NULL, "text of another kind" },
    { "asmcmd lsdg fragments", "asm_lsdg", NULL },
    { "context", NULL, "text of another kind" },
};

struct manifest_row {
    char file[100], kind[100];
};

static void one_file(void **state)
{
    const struct manifest_row *m = *state;
    const struct outcome *o = NULL;
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes && !o; i++)
        if (strncmp(m->kind, outcomes[i].kind, strlen(outcomes[i].kind)) == 0 ||
            strcmp(m->file, outcomes[i].kind) == 0)
            o = &outcomes[i];
    if (!o)
        fail_msg("%s: a kind without outcome: %s", m->file, m->kind);
    memset(&now, 0, sizeof now);
    int rc = read_sample(&now, m->file);
    if (o->format) {
        if (rc)
            fail_msg("%s", now.err.text);
        assert_string_equal(now.format, o->format);
        assert_true(now.rows > 0);
        assert_true(now.rows == now.n_handed_over);
    } else {
        if (!rc)
            fail_msg("%s loads as %s", m->file, now.format);
        assert_int_equal(rc, ERR_PARSE);
        assert_non_null(strstr(now.err.text, o->refusal));
        assert_null(strchr(now.err.text, '\n'));
        assert_true(strncmp(now.err.text, FOLDER, strlen(FOLDER)) == 0);
    }
    arena_release(&now.arena);
}

/* --- main ------------------------------------------------------------------------------------- */

static char *slurp(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    if (!f)
        return NULL;
    if (fseek(f, 0, SEEK_END) == 0) {
        long n = ftell(f);
        rewind(f);
        text = n < 0 ? NULL : mem_alloc((size_t)n + 1);
        if (text)
            text[fread(text, 1, (size_t)n, f)] = '\0';
    }
    fclose(f);
    return text;
}

/* Field no (from 0) of a line of tab-separated fields, cut to room. */
static void take_field(const char *line, int no, char *out, size_t room)
{
    for (; no > 0 && line; no--) {
        line = strchr(line, '\t');
        line = line ? line + 1 : NULL;
    }
    snprintf(out, room, "%.*s", line ? (int)strcspn(line, "\t\n") : 0, line ? line : "");
}

enum { TESTS_MAX = 64, FILES_MAX = 128 };

static size_t list_files(char *manifest, struct manifest_row rows[FILES_MAX])
{
    size_t n = 0;
    char *line = strchr(manifest, '\n'); /* behind the headings */
    for (line = line ? line + 1 : NULL; line && *line && n < FILES_MAX; n++) {
        take_field(line, 0, rows[n].file, sizeof rows[n].file);
        take_field(line, 4, rows[n].kind, sizeof rows[n].kind);
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return n;
}

static void exceptions_are_few(void **state)
{
    int n = 0;
    (void)state;
    for (const struct exception *k = exceptions; k->file; k++)
        n++;
    printf("    %d figures compared in all, %d exceptions\n", n_figures, n);
    assert_true(n * 100 <= n_figures);
}

int main(void)
{
    static struct manifest_row files[FILES_MAX];
    struct CMUnitTest tests[TESTS_MAX + FILES_MAX + 1];
    size_t n = 0;
    char *text = slurp(FOLDER "TRUTH.json"), *manifest = slurp(FOLDER "MANIFEST.tsv");
    if (!text || !manifest) {
        printf("not run: no " FOLDER
               "TRUTH.json and MANIFEST.tsv, so the public reports are not compared\n");
        mem_free(text);
        mem_free(manifest);
        return 0;
    }
    awr_html_global_init();
    cJSON *truth = cJSON_Parse(text);
    const cJSON *report;
    cJSON_ArrayForEach(report, at(truth, "reports"))
    {
        if (n < TESTS_MAX)
            tests[n++] = (struct CMUnitTest){ text_of(report, "file", ""), one_report, NULL, NULL,
                                              (void *)(uintptr_t)report };
    }
    tests[n++] = (struct CMUnitTest){ "exceptions", exceptions_are_few, NULL, NULL, NULL };
    size_t n_files = list_files(manifest, files);
    for (size_t i = 0; i < n_files; i++)
        tests[n++] = (struct CMUnitTest){ files[i].file, one_file, NULL, NULL, &files[i] };
    int failed = n_files < 80 || _cmocka_run_group_tests("samples/awr", tests, n, NULL, NULL) != 0;
    cJSON_Delete(truth);
    mem_free(text);
    mem_free(manifest);
    awr_html_global_release();
    return failed;
}
