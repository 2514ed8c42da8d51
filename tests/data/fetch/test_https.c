/* tests/data/fetch/test_https.c - a TLS server with a certificate that nobody vouches for (openssl
 * s_server): refused at once, and nothing of a signed request is sent to it; with and without the
 * proxy variables. */
#include "data/fetch/http_curl.h"
#include "tests/data/fetch/still_world.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/volplan-https-XXXXXX";

/* Its stdout, where it says on which port it listens and what it is sent; its stdin is ours, since
 * it ends with it. */
static pid_t start_server(FILE **out, int *in)
{
    char command[600], shell[] = "/bin/sh", option[] = "-c";
    char *const words[] = { shell, option, command, NULL };
    posix_spawn_file_actions_t actions;
    int ends[2], ours[2];
    pid_t pid;
    snprintf(command, sizeof command,
             "cd %s && openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=127.0.0.1 -days 2 "
             "-addext subjectAltName=IP:127.0.0.1 -keyout key -out cert 2>/dev/null && "
             "exec openssl s_server -accept 127.0.0.1:0 -key key -cert cert 2>/dev/null",
             folder);
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    assert_int_equal(pipe2(ours, O_CLOEXEC), 0);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ours[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    assert_int_equal(posix_spawn(&pid, shell, &actions, NULL, words, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    close(ours[0]);
    *in = ours[1];
    *out = fdopen(ends[0], "r");
    return pid;
}

/* Refused before anything of the request is sent, whether the proxy variables send it there or not;
 * nobody listens at the proxy. */
static const struct way {
    const char *proxy, *no_proxy;
    int rc, requests;
    const char *words;
} ways[] = {
    { NULL, NULL, ERR_NET_FINAL, 1, "its certificate is not valid here" },
    { "http://127.0.0.1:1", "127.0.0.1", ERR_NET_FINAL, 1, "its certificate is not valid here" },
    { "http://127.0.0.1:1", NULL, ERR_NET, HTTP_ATTEMPTS_MAX, "127.0.0.1 port 1" },
};

static void set_or_not(const char *name, const char *value)
{
    assert_int_equal(value ? setenv(name, value, 1) : unsetenv(name), 0);
}

static void ask(const char *url, const struct way *way)
{
    static const struct http_signer signer = { "canaryKey", "canarySecret", "canaryToken", "r-1",
                                               "ec2" };
    const struct http_curl_options o = { .connect_ms = 5000, .stall_s = 1 };
    struct http_curl *curl;
    struct http_reply r;
    struct arena a = { 0 };
    struct err e = { 0 };
    set_or_not("https_proxy", way->proxy);
    set_or_not("no_proxy", way->no_proxy);
    assert_int_equal(http_curl_open(&o, &curl, &e), 0);
    struct http_client c = { .transport = http_curl_transport(curl), .world = still_world() };
    struct http_request q = { .method = HTTP_POST,
                              .url = url,
                              .body = SPAN_LIT("Action=X"),
                              .sign = &signer,
                              .body_max = 100 };
    int rc = http_call(&c, &q, &a, &r, &e);
    if (rc != way->rc || !strstr(e.text, way->words))
        fail_msg("said: %s", e.text);
    assert_int_equal(c.requests, way->requests);
    http_curl_close(curl);
    arena_release(&a);
}

static void an_unknown_certificate(void **state)
{
    char line[1000] = "", url[100];
    FILE *out;
    int in;
    (void)state;
    pid_t pid = start_server(&out, &in);
    while (fgets(line, sizeof line, out) && strncmp(line, "ACCEPT ", 7) != 0)
        continue;
    const char *port = strrchr(line, ':');
    assert_non_null(port); /* openssl is there and serves */
    snprintf(url, sizeof url, "https://127.0.0.1:%d/", atoi(port + 1));
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        ask(url, &ways[i]);
    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
    while (fgets(line, sizeof line, out)) {
        assert_null(strstr(line, "canary"));
        assert_null(strstr(line, "POST"));
    }
    fclose(out);
    close(in);
}

static int set_up(void **state)
{
    struct err e;
    (void)state;
    return mkdtemp(folder) ? http_curl_global_init(&e) : -1;
}

static int tear_down(void **state)
{
    static const char *const names[] = { "key", "cert", "" };
    char path[100];
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    http_curl_global_release();
    return 0;
}

int main(void)
{
    const struct CMUnitTest t[] = { cmocka_unit_test(an_unknown_certificate) };
    return cmocka_run_group_tests(t, set_up, tear_down);
}
