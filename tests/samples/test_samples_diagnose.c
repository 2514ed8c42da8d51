/* tests/samples/test_samples_diagnose.c - public files are not accused of what they do not show.
 *
 * Every file of samples/awr and samples/os is diagnosed by itself: no finding of severity error but
 * those of the table below, which names each with the problem that its own top waits state.  The
 * runs 016 to 038 are a benchmark on EC2: what binds is the largest of their waits, and never the
 * archiver, which none of them waited for.
 *
 * Evidence in text files is followed to its line. */
#include "tests/cli/evidence.h"
#include "tests/cli/run_cli.h"

#include <dirent.h>
#include <unistd.h>

#define FOLDER "../shared/samples/"

/* Reports with problems: what comes first, and what the report says itself. */
static const struct known {
    const char *file, *first, *stated;
} known[] = {
    { "009_awr112_slob128.txt", "log_buffer_space", "log buffer space 32.8 % of DB time" },
    { "011_awrg112_slob_rac.html", "log_buffer_space", "the same run" },
    { "016_awr122_ec2_none.txt", "log_buffer_space", "log buffer space 40.0, checkpoint 32.3" },
    { "017_awr122_ec2_00.txt", "log_buffer_space", "log buffer space 68.8" },
    { "018_awr122_ec2_02.txt", "log_buffer_space", "log buffer space 48.8, checkpoint 31.4" },
    { "020_awr122_ec2_04.txt", "log_buffer_space", "log buffer space 58.7" },
    { "021_awr122_ec2_06.txt", "buffer_busy_waits", "buffer busy waits 39.7" },
    { "023_awr122_ec2_08.txt", "log_buffer_space", "log buffer space 49.0" },
    { "024_awr122_ec2_09.txt", "log_buffer_space", "log buffer space 58.0" },
    { "026_awr122_ec2_11.txt", "log_buffer_space", "log buffer space 49.1" },
    { "027_awr122_ec2_12.txt", "log_buffer_space", "log buffer space 51.7" },
    { "029_awr122_ec2_14.txt", "buffer_busy_waits", "buffer busy waits 31.2" },
    { "031_awr122_ec2_17.txt", "buffer_busy_waits", "buffer busy waits 33.2" },
    { "032_awr122_ec2arc_00.txt", "log_buffer_space", "log buffer space 45.6, checkpoint 24.0" },
    { "033_awr122_ec2arc_01.txt", "free_buffer_waits", "free buffer waits 94.3" },
    { "035_awr122_ec2arc_03.txt", "free_buffer_waits", "free buffer waits 37.4" },
    { "037_awr122_ec2arc_05.txt", "write_complete_waits", "write complete waits 37.5" },
    { "038_awr122_ec2arc_06.txt", "checkpoint_behind", "checkpoint incomplete 28.9" },
    { "052_awr19rac_0217_15_pc.html", "checkpoint_behind", "checkpoint incomplete 16.4" },
    { "057_awr11rac_24727_pc.html", "log_file_sync", "log file sync 2 530 ms" },
};

static const struct known *known_of(const char *file)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].file, file) == 0)
            return &known[i];
    return NULL;
}

static const char *text_of(const cJSON *o, const char *key)
{
    const cJSON *v = cJSON_GetObjectItem(o, key);
    return cJSON_IsString(v) ? v->valuestring : "";
}

/* Figures of text reports stand in the line that is named. */
static void follow(const char *path, const cJSON *finding)
{
    const cJSON *ev;
    cJSON_ArrayForEach(ev, cJSON_GetObjectItem(finding, "evidence"))
    {
        static char line[1 << 16];
        const cJSON *no = cJSON_GetObjectItem(ev, "line");
        if (!cJSON_IsNumber(no) || strcmp(text_of(ev, "file"), path) != 0)
            continue;
        line_of(path, no->valueint, line, sizeof line);
        const char *value = text_of(ev, "value"), *figures = strchr(value, ':');
        expect_figures(figures ? figures : value, line, path);
    }
}

static void diagnose(const char *folder, const char *file, size_t *n_errors)
{
    char path[400], command[500];
    const struct known *k = known_of(file);
    snprintf(path, sizeof path, FOLDER "%s/%s", folder, file);
    snprintf(command, sizeof command, "diagnose --json --date 2024-01-01 --interval 60 %s", path);
    struct cli_result r = run_cli(command);
    if (r.status != 0 && r.status != 1 && r.status != 3) /* 3: a file that is no input */
        fail_msg("%s: status %d: %s", file, r.status, r.err);
    cJSON *json = cJSON_Parse(r.out);
    const cJSON *f;
    bool first = true, is_text = strstr(file, "_ec2") && strstr(file, ".txt");
    cJSON_ArrayForEach(f, cJSON_GetObjectItem(json, "findings"))
    {
        bool error = strcmp(text_of(f, "severity"), "error") == 0;
        if (error && !k)
            fail_msg("%s: %s: %s", file, text_of(f, "id"), text_of(f, "title"));
        if (k && first)
            assert_string_equal(text_of(f, "id"), k->first);
        if (k && strcmp(text_of(f, "id"), "archiver_behind") == 0)
            fail_msg("%s: no session waited for the archiver (%s)", file, k->stated);
        if (is_text)
            follow(path, f);
        *n_errors += error && first;
        first = false;
    }
    if (k && first)
        fail_msg("%s: nothing was found, it states %s", file, k->stated);
    cJSON_Delete(json);
    free_cli(&r);
}

static void test_folder(void **state)
{
    const char *folder = *state;
    size_t n = 0, n_errors = 0, n_known = 0;
    char path[64];
    snprintf(path, sizeof path, FOLDER "%s", folder);
    struct dirent **entries;
    int n_entries = scandir(path, &entries, NULL, alphasort);
    assert_true(n_entries > 0);
    for (int i = 0; i < n_entries; i++) {
        const char *name = entries[i]->d_name;
        if (name[0] >= '0' && name[0] <= '9') {
            diagnose(folder, name, &n_errors);
            n_known += known_of(name) != NULL;
            n++;
        }
        free(entries[i]);
    }
    free(entries);
    assert_true(n > 80);
    assert_int_equal(n_errors, n_known);
}

int main(void)
{
    static char awr[] = "awr", os[] = "os";
    const struct CMUnitTest t[] = {
        { "AWR reports", test_folder, NULL, NULL, awr },
        { "operating systems", test_folder, NULL, NULL, os },
    };
    if (access(FOLDER "awr", R_OK) != 0) {
        puts("not run: " FOLDER " is not there");
        return 0;
    }
    return cmocka_run_group_tests_name("samples, diagnosed", t, cli_start, cli_stop);
}
