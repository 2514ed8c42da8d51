/* tests/data/fetch/sigv4_check.h - asks sigv4_check.pl whether a request is signed rightly.
 *
 * The verifier is a program in another language that shares nothing with ours, libcurl or OpenSSL;
 * it is started at the first question and ends with the test. */
#ifndef TESTS_DATA_FETCH_SIGV4_CHECK_H
#define TESTS_DATA_FETCH_SIGV4_CHECK_H

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sigv4_keys {
    const char *access_key, *secret;
    const char *token; /* NULL: none may be sent */
    const char *region, *service;
};

struct sigv4_verifier {
    FILE *to, *from;
};

/* Aborts where there is none to be had: nothing could be tested. */
static inline void sigv4_start(struct sigv4_verifier *v)
{
    static char name[] = "perl", script[] = "tests/data/fetch/sigv4_check.pl";
    char *const words[] = { name, script, NULL };
    posix_spawn_file_actions_t actions;
    int to[2], from[2];
    pid_t pid;
    if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC) || posix_spawn_file_actions_init(&actions) ||
        posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO) ||
        posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO) ||
        posix_spawnp(&pid, name, &actions, NULL, words, environ))
        abort();
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    v->to = fdopen(to[1], "w");
    v->from = fdopen(from[0], "r");
}

/* bytes is a whole request as it came.  NULL when its signature is right, else what is wrong. */
static inline const char *sigv4_check(const char *bytes, size_t n, const struct sigv4_keys *k)
{
    static struct sigv4_verifier verifier;
    static char answer[200];
    if (!verifier.to)
        sigv4_start(&verifier);
    fprintf(verifier.to, "%zu\t%s\t%s\t%s\t%s\t%s\n", n, k->access_key, k->secret, k->region,
            k->service, k->token ? k->token : "");
    fwrite(bytes, 1, n, verifier.to);
    if (fflush(verifier.to) || !fgets(answer, sizeof answer, verifier.from))
        return "the verifier does not answer";
    answer[strcspn(answer, "\n")] = '\0';
    return strcmp(answer, "right") == 0 ? NULL : answer;
}

#endif
