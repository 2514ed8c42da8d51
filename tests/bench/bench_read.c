/* tests/bench/bench_read.c - how fast the samples that bench_solve plans come out of a store.
 *
 * A store in the temporary folder with SYSTEMS= (default 3) systems of 6 devices and 30 days of
 * one-minute samples; each is read as plan reads it, on one thread. */
#include "cli/app.h"
#include "data/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DEVICES = 6, MINUTES = 30 * 1440 };

static const int64_t begin_ms = INT64_C(1777593600000); /* 2026-05-01 */

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 40) / 16777216.0;
}

static int write_device(struct store *s, const char *device, uint64_t *state, struct err *e)
{
    int rc = 0;
    for (int i = 0; i < MINUTES && !rc; i++) {
        struct io_sample v = io_sample_unknown();
        v.time_ms = begin_ms + (int64_t)(i + 1) * 60000;
        v.interval_s = 60;
        v.host = span_of("db1");
        v.device = span_of(device);
        v.line = i + 1;
        /* two decimals, as iostat prints them */
        v.reads_per_s = (double)(int)(uniform(state) * 400000) / 100;
        v.writes_per_s = (double)(int)(uniform(state) * 200000) / 100;
        v.read_kib_per_s = v.reads_per_s * 16;
        v.write_kib_per_s = v.writes_per_s * 32;
        io_sample_complete(&v);
        rc = store_file_sample(s, &v, e);
    }
    return rc;
}

static int write_system(struct store *s, int number, struct err *e)
{
    char name[16], device[16];
    snprintf(name, sizeof name, "S%d", number);
    struct store_file_start start = {
        .system = name, .path = "iostat.txt", .format = "iostat", .date_ms = INT64_MIN
    };
    struct store_file_end end = { .rows = (int64_t)DEVICES * MINUTES,
                                  .first_ms = begin_ms,
                                  .last_ms = begin_ms + (int64_t)MINUTES * 60000 };
    uint64_t state = (uint64_t)number + 1;
    bool known;
    memset(end.content_hash, number + 1, sizeof end.content_hash);
    int rc = store_file_begin(s, &start, e);
    for (int d = 0; d < DEVICES && !rc; d++) {
        snprintf(device, sizeof device, "nvme%dn1", d + 1);
        rc = write_device(s, device, &state, e);
    }
    return rc ? rc : store_file_commit(s, &end, &known, e);
}

/* Samples that were read. */
static size_t read_system(struct store *s, int number, struct arena *a, int *rc, struct err *e)
{
    char name[16];
    struct system_load load = { 0 };
    size_t n = 0;
    snprintf(name, sizeof name, "S%d", number);
    *rc = load_system(s, name, a, &load, e);
    for (size_t i = 0; i < load.n_series && !*rc; i++)
        n += load.series[i].n;
    return n;
}

int main(void)
{
    char folder[] = "/tmp/volplan-bench-XXXXXX", db[64];
    const char *given = getenv("SYSTEMS");
    int n_systems = given ? (int)strtol(given, NULL, 10) : 3;
    struct err e = { 0 };
    struct arena a = { 0 };
    struct store *s = NULL;
    size_t n = 0;
    double took_s = 0;
    if (cli_global_init(stderr) || !mkdtemp(folder))
        return 1;
    snprintf(db, sizeof db, "%s/b.db", folder);
    int rc = store_open(db, &(struct store_options){ .mode = STORE_CREATE }, &s, &e);
    for (int i = 0; i < n_systems && !rc; i++)
        rc = write_system(s, i, &e);
    for (int i = 0; i < n_systems && !rc; i++) {
        double begin = now_s();
        n += read_system(s, i, &a, &rc, &e);
        took_s += now_s() - begin;
        arena_reuse(&a);
    }
    if (rc)
        fprintf(stderr, "%s\n", e.text);
    else
        printf("solve: reading such a system from a store, apart: %.3f s on one thread, %.1f M "
               "samples/s (%.0f s for 1 000 on two threads at that rate)\n",
               took_s / n_systems, (double)n / took_s / 1e6, took_s / n_systems * 500);
    arena_release(&a);
    store_close(s);
    unlink(db);
    rmdir(folder);
    cli_global_release();
    return rc || n != (size_t)n_systems * DEVICES * MINUTES;
}
