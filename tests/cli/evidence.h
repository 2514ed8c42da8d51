/* tests/cli/evidence.h - follows the evidence of a finding into its file. */
#ifndef TESTS_CLI_EVIDENCE_H
#define TESTS_CLI_EVIDENCE_H

#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

enum { EVIDENCE_NUMBERS = 64 };

/* The numbers that stand alone in a text; "1,234" and "1 234" are one. K, M, G behind one are left
 * to the scales below. */
static inline size_t numbers_of(const char *s, double out[EVIDENCE_NUMBERS])
{
    size_t n = 0;
    while (*s && n < EVIDENCE_NUMBERS) {
        char digits[64], before = ' ';
        size_t len = 0;
        while (*s && !isdigit((unsigned char)*s) && !(*s == '.' && isdigit((unsigned char)s[1])))
            before = *s++;
        while (len + 1 < sizeof digits) {
            bool thousands = (*s == ',' || *s == ' ') && len && isdigit((unsigned char)s[1]) &&
                             isdigit((unsigned char)s[2]) && isdigit((unsigned char)s[3]) &&
                             !isdigit((unsigned char)s[4]);
            if (thousands && (*s == ',' || s[4] == ' ' || !s[4]))
                s++;
            else if (isdigit((unsigned char)*s) || *s == '.')
                digits[len++] = *s++;
            else
                break;
        }
        digits[len] = '\0';
        if (len && !isalpha((unsigned char)before))
            out[n++] = atof(digits);
    }
    return n;
}

/* As the file may have it: K, M and G in AWR, s for ms, a sum over 60 s for a rate or for KiB/s,
 * the bytes of an hour for MiB/s. */
static inline bool same_figure(double want, double seen)
{
    static const double scales[] = {
        1, 1000, 1e6, 1024, 1.0 / 60, 1.0 / 61440, 1.0 / 3600 / 1048576
    };
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        if (fabs(seen * scales[i] - want) <= 1e-6 * fabs(want) + 1e-9)
            return true;
    return false;
}

static inline void expect_figures(const char *value, const char *line, const char *where)
{
    double want[EVIDENCE_NUMBERS], seen[EVIDENCE_NUMBERS];
    size_t n_want = numbers_of(value, want), n_seen = numbers_of(line, seen);
    for (size_t i = 0; i < n_want; i++) {
        bool found = false;
        for (size_t k = 0; k < n_seen && !found; k++)
            found = same_figure(want[i], seen[k]);
        if (!found)
            fail_msg("%s: %g of '%s' is not in '%s'", where, want[i], value, line);
    }
}

/* Line `number` of a file into buf; a line 0 is the whole of a small file. */
static inline void line_of(const char *path, int number, char *buf, size_t room)
{
    FILE *f = fopen(path, "r");
    if (!f)
        fail_msg("%s cannot be opened", path);
    *buf = '\0';
    if (!number)
        buf[fread(buf, 1, room - 1, f)] = '\0';
    for (int i = 0; i < number; i++)
        if (!fgets(buf, (int)room, f))
            fail_msg("%s has no line %d", path, number);
    fclose(f);
}

/* Whether the sample's time stands above line `number` of an iostat text, nearest to it. */
static inline void expect_iostat_time(const char *path, int number, const char *iso)
{
    char line[2000], stamp[64] = "";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    for (int i = 0; i < number && fgets(line, sizeof line, f); i++)
        if (strncmp(line, "05/", 3) == 0)
            snprintf(stamp, sizeof stamp, "%.22s", line);
    fclose(f);
    int hour = atoi(stamp + 11), want_hour = atoi(iso + 11);
    if (strstr(stamp, "PM") && hour < 12)
        hour += 12;
    if (hour != want_hour || strncmp(stamp + 13, iso + 13, 6) != 0)
        fail_msg("%s:%d: the sample is of %s, the evidence says %s", path, number, stamp, iso);
}

/* Every piece of evidence of every finding, all of it from files. */
static inline void expect_evidence_opens(const cJSON *findings)
{
    const cJSON *f, *ev;
    cJSON_ArrayForEach(f, findings)
    {
        const char *id = cJSON_GetObjectItem(f, "id")->valuestring;
        const cJSON *evidence = cJSON_GetObjectItem(f, "evidence");
        if (!cJSON_GetArraySize(evidence))
            fail_msg("%s has no evidence", id);
        cJSON_ArrayForEach(ev, evidence)
        {
            static char text[1 << 16];
            const cJSON *file = cJSON_GetObjectItem(ev, "file"),
                        *line = cJSON_GetObjectItem(ev, "line");
            const cJSON *time = cJSON_GetObjectItem(ev, "time"),
                        *row = cJSON_GetObjectItem(ev, "row");
            const char *value = cJSON_GetObjectItem(ev, "value")->valuestring;
            if (cJSON_IsString(file) && cJSON_IsString(row)) {
                line_of(file->valuestring, 0, text, sizeof text);
                if (!strstr(text, row->valuestring))
                    fail_msg("%s: %s has no '%s'", id, file->valuestring, row->valuestring);
                expect_figures(value, text, id);
            } else if (cJSON_IsString(file)) {
                int number = cJSON_IsNumber(line) ? line->valueint : 0;
                line_of(file->valuestring, number, text, sizeof text);
                if (number)
                    expect_figures(value, text, id);
                if (number && strstr(file->valuestring, "iostat") && cJSON_IsString(time))
                    expect_iostat_time(file->valuestring, number, time->valuestring);
            } else
                fail_msg("%s: evidence without a file: %s", id, value);
        }
    }
}

#endif
