/* tests/cli/serve/test_serve.c - the server over real sockets: what it answers, refuses, bounds,
 * and how it ends. */
#include "tests/cli/serve/live_server.h"

#include "cli/serve/http_server.h"
#include "cli/serve/served.h"

static struct site site;
static struct cli_env env = { .today = "2026-11-30", .ticks_ms = real_ms };
static struct live_server server;

static int start_all(void **state)
{
    char line[200];
    if (cli_start(state))
        return -1;
    site_make(&site);
    env.db = site.db;
    snprintf(line, sizeof line, "awk -f data/demo/iostat.awk >%s", site.iostat);
    assert_int_equal(system(line), 0);
    site_run(&site, "ingest --system PRD1 data/demo/awr_prd1_0700_0959.txt", site.iostat);
    site_run(&site, "layout --set data/demo/layout.json", "");
    server = live_start(&env, NULL);
    return 0;
}

static int stop_all(void **state)
{
    assert_int_equal(live_stop(&server, SIGTERM), 0);
    site_remove(&site);
    return cli_stop(state);
}

static void expect_error(char *answer, int http_status, const char *words)
{
    if (live_status(answer) != http_status || !strstr(live_body(answer), words))
        fail_msg("not %d with '%s' but: %s", http_status, words, answer);
    assert_non_null(strstr(live_body(answer), "\"error\": "));
    assert_non_null(strstr(live_body(answer), "\"status\": "));
    free(answer);
}

/* --- answers -----------------------------------------------------------------------------------
 */

static void expect_same(const char *target, const char *command)
{
    char header[400], *answer = live_get(&server, target, "");
    struct cli_result r = run_cli_in(command, &env);
    if (live_status(answer) != 200 || strcmp(live_body(answer), r.out) != 0)
        fail_msg("%s: not what %s prints but %.900s", target, command, answer);
    assert_true(strlen(r.out) > 100);
    live_header(answer, "X-Volplan-Command", header, sizeof header);
    assert_int_equal(strncmp(header, "volplan ", 8), 0);
    assert_string_equal(header + 8, command);
    free_cli(&r);
    free(answer);
}

static void answers_are_what_commands_print(void **state)
{
    (void)state;
    expect_same("/api/plan", "plan --json");
    expect_same("/api/plan?system=PRD1&headroom=30&as-of=2022-06-01",
                "plan --system PRD1 --headroom 30 --as-of 2022-06-01 --json");
    expect_same("/api/whatif?standbys=8&merge-loss&growth=20",
                "whatif --standbys 8 --merge-loss --growth 20 --json");
    expect_same("/api/diagnose", "diagnose --json"); /* its exit status is 1: an answer */
    expect_same("/api/replay?verbose&group=REDO1=gp3:500",
                "replay --verbose --group REDO1=gp3:500 --json");
    expect_same("/api/systems", "systems --json");
    expect_same("/api/systems?", "systems --json");
}

/* Every example of docs/api.md: in a block beside its command line, in the table as it is. */
static void examples_of_the_document_answer(void **state)
{
    (void)state;
    char line[600], target[600] = "";
    int pairs = 0, alone = 0;
    FILE *f = fopen("docs/api.md", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        char *at = strstr(line, "`GET ");
        if (strncmp(line, "    GET ", 8) == 0)
            snprintf(target, sizeof target, "%s", line + 8);
        else if (strncmp(line, "    volplan ", 12) == 0 && *target) {
            expect_same(target, line + 12);
            target[0] = '\0';
            pairs++;
        } else if (at && line[0] == '|') {
            at[strcspn(at + 1, "`") + 1] = '\0';
            char *answer = live_get(&server, at + 5, "");
            if (live_status(answer) != 200 || live_body(answer)[0] != '{')
                fail_msg("%s: %.900s", at + 5, answer);
            free(answer);
            alone++;
        }
    }
    fclose(f);
    int served = 0;
    for (size_t c = 0; c < command_count; c++) {
        snprintf(target, sizeof target, "/api/%s", command_table[c].name);
        served += command_served(span_of(target)) != NULL;
    }
    assert_int_equal(pairs, 2);
    assert_int_equal(alone, served);
}

static void the_page_is_live(void **state)
{
    (void)state;
    char header[400], *answer = live_get(&server, "/?standbys=8&system=%3Cscript%3E", "");
    assert_int_equal(live_status(answer), 200);
    assert_non_null(strstr(live_body(answer), "<title>volplan</title>"));
    assert_null(strstr(live_body(answer), "standbys=8")); /* the query is not in the page */
    assert_string_equal(live_header(answer, "Content-Type", header, sizeof header),
                        "text/html; charset=utf-8");
    free(answer);
}

static void headers_keep_it_from_others(void **state)
{
    (void)state;
    static const char *const want[][2] = {
        { "Cache-Control", "no-store" },
        { "X-Content-Type-Options", "nosniff" },
        { "X-Frame-Options", "DENY" },
        { "Referrer-Policy", "no-referrer" },
        { "Cross-Origin-Resource-Policy", "same-origin" },
        { "Cross-Origin-Opener-Policy", "same-origin" },
    };
    static const char *const targets[] = { "/", "/api/systems", "/api/plan?no", "/nothing" };
    char header[400];
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++) {
        char *answer = live_get(&server, targets[t], "");
        for (size_t i = 0; i < sizeof want / sizeof *want; i++)
            assert_string_equal(live_header(answer, want[i][0], header, sizeof header), want[i][1]);
        live_header(answer, "Content-Security-Policy", header, sizeof header);
        assert_non_null(strstr(header, "frame-ancestors 'none'"));
        assert_null(strstr(answer, "Access-Control")); /* nobody else may read it */
        free(answer);
    }
}

static void head_gives_the_head(void **state)
{
    (void)state;
    char length[40], also[40], request[200];
    char *answer = live_get(&server, "/api/systems", "");
    snprintf(request, sizeof request,
             "HEAD /api/systems HTTP/1.1\r\nHost: localhost:%d\r\nConnection: close\r\n\r\n",
             server.port);
    char *head = live_ask(&server, request);
    assert_int_equal(live_status(head), 200);
    assert_string_equal(live_body(head), "");
    assert_string_equal(live_header(head, "Content-Length", length, sizeof length),
                        live_header(answer, "Content-Length", also, sizeof also));
    free(head);
    free(answer);
}

/* --- refused ------------------------------------------------------------------------------------
 */

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    expect_error(live_get(&server, "/api/plan?headrom=5", ""), 400, "did you mean '--headroom'?");
    expect_error(live_get(&server, "/api/plan?headroom=much", ""), 400, "--headroom");
    expect_error(live_get(&server, "/api/plan?headroom", ""), 400, "a value is missing");
    expect_error(live_get(&server, "/api/plan?system=PRD9", ""), 400, "no system 'PRD9'");
    expect_error(live_get(&server, "/api/whatif", ""), 400, "needs a change");
    expect_error(live_get(&server, "/api/plan?db=/etc/passwd", ""), 400, "db is not served");
    expect_error(live_get(&server, "/api/report?out=/tmp/x.html", ""), 400, "not served");
    expect_error(live_get(&server, "/api/change?way=copy&as-of=2022-06-01", ""), 422, "--way");
    expect_error(live_get(&server, "/api/ingest", ""), 404, "docs/api.md");
    expect_error(live_get(&server, "/../../etc/passwd", ""), 404, "docs/api.md");
}

static void foreign_pages_are_refused(void **state)
{
    (void)state;
    static const char *const lines[] = { "Origin: https://evil.example\r\n", "Origin: null\r\n",
                                         "Sec-Fetch-Site: cross-site\r\n",
                                         "Host: evil.example\r\n", /* besides ours */
                                         "Host: 127.0.0.1\r\n" };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        expect_error(live_get(&server, "/api/systems", lines[i]), 403, "");
        expect_error(live_get(&server, "/", lines[i]), 403, "");
    }
    expect_error(live_ask(&server, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"), 403, "Host");
    expect_error(live_ask(&server, "GET /api/plan HTTP/1.0\r\n\r\n"), 403, "Host");
}

static void only_reading_is_answered(void **state)
{
    (void)state;
    static const char *const methods[] = {
        "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "X"
    };
    char request[300], header[40];
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        snprintf(request, sizeof request,
                 "%s /api/systems HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n12345",
                 methods[i]);
        char *answer = live_ask(&server, request);
        assert_string_equal(live_header(answer, "Allow", header, sizeof header), "GET, HEAD");
        expect_error(answer, 405, "only GET and HEAD");
    }
    expect_error(live_ask(&server, "GET /api/systems HTTP/1.1\r\nHost: localhost\r\n"
                                   "Content-Length: 999999999999\r\n\r\n"),
                 413, "no body");
    expect_error(live_ask(&server, "GET /api/systems HTTP/1.1\r\nHost: localhost\r\n"
                                   "Transfer-Encoding: chunked\r\n\r\n"),
                 413, "no body");
}

static char *repeat(const char *first, char c, size_t n, const char *last)
{
    size_t begin = strlen(first);
    char *text = malloc(begin + n + strlen(last) + 1);
    assert_non_null(text);
    memcpy(text, first, begin);
    memset(text + begin, c, n);
    strcpy(text + begin + n, last);
    return text;
}

/* "&x" n times: as many parameters as there can be in so many bytes. */
static char *many_parameters(size_t n)
{
    char *target = repeat("/api/plan?x", '&', 2 * n, "");
    for (size_t i = 0; i < n; i++)
        target[strlen("/api/plan?x") + 2 * i + 1] = 'x';
    return target;
}

/* Refused in our words, however many: libmicrohttpd takes them apart before we are asked. */
static void many_parameters_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        int http_status;
        const char *words;
    } cases[] = { { 100, 400, "unknown option '--x'" },
                  { 500, 400, "more than 256 parameters" },
                  { 4000, 400, "more than 256 parameters" },
                  { HTTP_TARGET_MAX / 2, 414, "too long" },
                  { HTTP_TARGET_MAX * 3 / 4 - 10, 414, "too long" } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *target = many_parameters(cases[i].n);
        expect_error(live_get(&server, target, ""), cases[i].http_status, cases[i].words);
        free(target);
    }
}

/* With or without words; the server need not read all of the request, which is freed. */
static void expect_refused(char *request)
{
    int fd = live_connect(&server);
    send(fd, request, strlen(request), MSG_NOSIGNAL);
    char *answer = live_read_all(fd);
    assert_non_null(answer);
    assert_true(live_status(answer) == 0 || live_status(answer) >= 400);
    close(fd);
    free(request);
    free(answer);
}

static void long_requests_are_bounded(void **state)
{
    (void)state;
    char *target = repeat("/api/plan?system=", 'A', HTTP_TARGET_MAX, "");
    expect_error(live_get(&server, target, ""), 414, "too long");
    free(target);
    target = repeat("/api/plan?system=", 'A', HTTP_TARGET_MAX - 17, "");
    expect_error(live_get(&server, target, ""), 400, "no system 'AAAA");
    free(target);
    char *line = repeat("X-Long: ", 'A', HTTP_HEADERS_MAX, "\r\n");
    expect_error(live_get(&server, "/api/systems", line), 431, "headers are too long");
    free(line);

    /* what does not fit into its memory at all the library refuses */
    expect_refused(repeat("GET / HTTP/1.1\r\nX-Long: ", 'A', HTTP_MEMORY_MAX, "\r\n\r\n"));
    expect_refused(repeat("GET /", 'A', 4 * HTTP_MEMORY_MAX, "")); /* no end of the line in it */
}

static void garbage_is_survived(void **state)
{
    (void)state;
    static const char *const garbage[] = {
        "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\x16\x03\x01\x02\n\n",
        "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "GET /api/plan?system=%00%0d%0aX:1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    };
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++) {
        int fd = live_connect(&server);
        live_send(fd, garbage[i]);
        shutdown(fd, SHUT_WR);
        char *answer = live_read_all(fd);
        if (!answer)
            fail_msg("not ended: %s", garbage[i]);
        assert_true(live_status(answer) != 200);
        free(answer);
        close(fd);
    }
    expect_same("/api/systems", "systems --json");
}

/* --- names from files ---------------------------------------------------------------------------
 */

static void hostile_names_stay_names(void **state)
{
    (void)state;
    const char *name = "<script>alert(1)</script>\r\nX-Evil: 1";
    const char *argv[] = { "volplan", "ingest", "--system", name, site.iostat };
    FILE *nowhere = fopen("/dev/null", "w");
    assert_non_null(nowhere);
    assert_int_equal(cli_run(5, argv, &env, nowhere, nowhere), 0);
    fclose(nowhere);
    char header[400];
    char *answer =
        live_get(&server,
                 "/api/peaks?by=device&system=%3Cscript%3Ealert(1)%3C/script%3E%0D%0AX-Evil:+1",
                 "");
    assert_int_equal(live_status(answer), 200);
    assert_string_equal(live_header(answer, "X-Evil", header, sizeof header), "");
    assert_string_equal(live_header(answer, "X-Volplan-Command", header, sizeof header),
                        "volplan peaks --by device --system "
                        "$'<script>alert(1)</script>\\015\\012X-Evil: 1' --json");
    assert_string_equal(live_header(answer, "Content-Type", header, sizeof header),
                        "application/json");
    free(answer);
}

/* --- the store beside it ------------------------------------------------------------------------
 */

static void expect_systems(int n)
{
    char *answer = live_get(&server, "/api/systems", "");
    int count = 0;
    for (const char *at = live_body(answer); (at = strstr(at, "{\"system\"")) != NULL; at++)
        count++;
    assert_int_equal(count, n);
    free(answer);
}

static void a_store_that_changes_is_read_anew(void **state)
{
    (void)state;
    expect_systems(2);
    expect_same("/api/plan?system=PRD1", "plan --system PRD1 --json");
    site_run(&site, "layout --set tests/cli/fixtures/plateau_layout.json", "");
    char *answer = live_get(&server, "/api/plan?system=PRD1", "");
    struct cli_result r = run_cli_in("plan --system PRD1 --json", &env);
    assert_string_equal(live_body(answer), r.out);
    free_cli(&r);
    free(answer);
    site_run(&site, "layout --set data/demo/layout.json", "");
    expect_same("/api/plan?system=PRD1", "plan --system PRD1 --json");

    /* another file under the same name */
    char aside[120];
    snprintf(aside, sizeof aside, "%s.aside", site.db);
    assert_int_equal(rename(site.db, aside), 0);
    expect_error(live_get(&server, "/api/systems", ""), 400, "no store here");
    site_run(&site, "ingest --system ALONE", site.iostat);
    expect_systems(1);
    assert_int_equal(rename(aside, site.db), 0);
    expect_systems(2);
}

/* --- late, and ended ----------------------------------------------------------------------------
 */

static void late_requests_end(void **state)
{
    (void)state;
    struct cli_env fast = env;
    fast.ticks_ms = fast_ms;
    struct live_server s = live_start(&fast, NULL);
    /* a head that never ends, a byte at a time: never idle, and yet ended */
    int drip = live_connect(&s), mute = live_connect(&s);
    int64_t begin = real_ms();
    live_send(drip, "GET /api/systems HTTP/1.1\r\nHost: localhost\r\nX: ");
    bool ended = false;
    while (!ended && real_ms() - begin < 10000) {
        struct pollfd p = { .fd = drip, .events = POLLIN };
        ended = poll(&p, 1, 20) == 1 || send(drip, "x", 1, MSG_NOSIGNAL) < 0;
    }
    assert_true(ended);
    assert_in_range(real_ms() - begin, HTTP_REQUEST_MS / 20 - 50, 8000);
    close(drip);
    char *nothing = live_read_all(mute);
    assert_non_null(nothing);
    assert_string_equal(nothing, "");
    free(nothing);
    close(mute);
    char *answer = live_get(&s, "/api/systems", "");
    assert_int_equal(live_status(answer), 200);
    free(answer);
    assert_int_equal(live_stop(&s, SIGTERM), 0);
}

static void many_connections_wait_their_turn(void **state)
{
    (void)state;
    int held[HTTP_CONNECTIONS_MAX];
    for (int i = 0; i < HTTP_CONNECTIONS_MAX; i++)
        held[i] = live_connect(&server);
    int late = live_connect(&server); /* in the queue of the system */
    live_send(late, "GET /api/systems HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    struct pollfd p = { .fd = late, .events = POLLIN };
    assert_int_equal(poll(&p, 1, 300), 0);
    for (int i = 0; i < HTTP_CONNECTIONS_MAX; i++)
        close(held[i]);
    char *answer = live_read_all(late);
    assert_non_null(answer);
    assert_int_equal(live_status(answer), 200);
    free(answer);
    close(late);
}

static void only_loopback_reaches_it(void **state)
{
    (void)state;
    char line[200], *text = NULL;
    size_t len = 0;
    int listening = 0;
    FILE *f = fopen("/proc/net/tcp", "r"); /* addresses in hexadecimal, lowest byte first */
    assert_non_null(f);
    snprintf(line, sizeof line, ":%04X 00000000:0000 0A", (unsigned)server.port);
    while (getline(&text, &len, f) > 0)
        if (strstr(text, line)) {
            assert_non_null(strstr(text, " 0100007F:"));
            listening++;
        }
    free(text);
    fclose(f);
    assert_int_equal(listening, 1);
}

static void signals_end_it(void **state)
{
    (void)state;
    struct live_server s = live_start(&env, NULL);
    int open = live_connect(&s); /* a connection does not keep it */
    assert_int_equal(live_stop(&s, SIGINT), 0);
    close(open);
    s = live_start(&env, "--as-of=2022-06-01");
    char header[200], *answer = live_get(&s, "/api/plan?system=PRD1", "");
    assert_string_equal(live_header(answer, "X-Volplan-Command", header, sizeof header),
                        "volplan plan --as-of 2022-06-01 --system PRD1 --json");
    assert_non_null(strstr(answer, "\"as_of\": \"2022-06-01\""));
    free(answer);
    assert_int_equal(live_stop(&s, SIGTERM), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_what_commands_print),
        cmocka_unit_test(examples_of_the_document_answer),
        cmocka_unit_test(the_page_is_live),
        cmocka_unit_test(headers_keep_it_from_others),
        cmocka_unit_test(head_gives_the_head),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(foreign_pages_are_refused),
        cmocka_unit_test(only_reading_is_answered),
        cmocka_unit_test(many_parameters_are_refused),
        cmocka_unit_test(long_requests_are_bounded),
        cmocka_unit_test(garbage_is_survived),
        cmocka_unit_test(many_connections_wait_their_turn),
        cmocka_unit_test(late_requests_end),
        cmocka_unit_test(only_loopback_reaches_it),
        cmocka_unit_test(signals_end_it),
        cmocka_unit_test(hostile_names_stay_names),
        cmocka_unit_test(a_store_that_changes_is_read_anew),
    };
    return cmocka_run_group_tests_name("serve", tests, start_all, stop_all);
}
