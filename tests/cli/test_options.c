/* tests/cli/test_options.c - the tables of options and commands keep what they promise: sorted,
 * documented, and every entry used by a test. */
#include "tests/cli/run_cli.h"

#include <glob.h>

static void commands_are_sorted(void **state)
{
    (void)state;
    for (size_t i = 1; i < command_count; i++)
        assert_true(strcmp(command_table[i - 1].name, command_table[i].name) < 0);
}

static void every_option_has_its_words(void **state)
{
    (void)state;
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option *o = &option_table[i];
        assert_non_null(o->name);
        assert_true(o->help && strlen(o->help) > 5);
        assert_true((o->arg == NULL) == (o->kind == KIND_FLAG));
        assert_true((o->choices != NULL) == (o->kind == KIND_CHOICE));
    }
}

static bool takes(const struct command *c, int id)
{
    for (size_t i = 0; i < c->n_options; i++)
        if ((int)c->options[i].id == id)
            return true;
    return false;
}

static void every_option_belongs_somewhere(void **state)
{
    (void)state;
    for (int i = 0; i < OPTION_COUNT; i++) {
        bool used = option_table[i].global;
        for (size_t c = 0; c < command_count; c++)
            used |= takes(&command_table[c], i);
        assert_true(used);
    }
}

static void no_command_takes_a_name_twice(void **state)
{
    (void)state;
    for (size_t c = 0; c < command_count; c++)
        for (int i = 0; i < OPTION_COUNT; i++)
            for (int j = i + 1; j < OPTION_COUNT; j++) {
                bool has_i = option_table[i].global || takes(&command_table[c], i);
                bool has_j = option_table[j].global || takes(&command_table[c], j);
                if (has_i && has_j)
                    assert_string_not_equal(option_table[i].name, option_table[j].name);
            }
}

static void assert_help_has(const char *help, const char *line_start)
{
    char want[100];
    snprintf(want, sizeof want, "\n  %s", line_start);
    if (!strstr(help, want))
        print_error("no line with '%s' in:\n%s\n", line_start, help);
    assert_non_null(strstr(help, want));
}

static void assert_narrow(const char *text)
{
    for (const char *line = text; *line;) {
        size_t len = strcspn(line, "\n");
        if (len > 100)
            print_error("wide: %.*s\n", (int)len, line);
        assert_true(len <= 100);
        line += len + (line[len] == '\n');
    }
}

static void help_tells_all(void **state)
{
    (void)state;
    char usage[64];
    struct cli_result general = run_cli("--help");
    assert_int_equal(general.status, 0);
    assert_narrow(general.out);
    for (size_t c = 0; c < command_count; c++) {
        const struct command *command = &command_table[c];
        assert_help_has(general.out, command->name);
        char line[100];
        snprintf(line, sizeof line, "%s --help", command->name);
        struct cli_result r = run_cli(line);
        assert_int_equal(r.status, 0);
        assert_narrow(r.out);
        for (int i = 0; i < OPTION_COUNT; i++)
            if (option_table[i].global || takes(command, i))
                assert_help_has(r.out, option_usage(usage, &option_table[i]));
        for (size_t i = 0; i < command->n_examples; i++)
            assert_help_has(r.out, command->examples[i].line);
        free_cli(&r);
    }
    free_cli(&general);
}

/* The examples of help that need neither store nor file must work as they stand. */
static void examples_run(void **state)
{
    (void)state;
    static const char *const standing_alone[] = { "vol", "size", "instance", "catalog" };
    for (size_t n = 0; n < sizeof standing_alone / sizeof *standing_alone; n++) {
        const struct command *c = command_find(standing_alone[n]);
        assert_non_null(c);
        assert_true(c->n_examples > 0);
        for (size_t i = 0; i < c->n_examples; i++) {
            assert_int_equal(strncmp(c->examples[i].line, "volplan ", 8), 0);
            struct cli_result r = run_cli(c->examples[i].line + 8);
            if (r.status)
                print_error("%s: %s\n", c->examples[i].line, r.err);
            assert_int_equal(r.status, 0);
            free_cli(&r);
        }
    }
}

/* All bytes of the files that a pattern names, appended. */
static void append_files(FILE *to, const char *pattern)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found))
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char block[4096];
        FILE *f = fopen(found.gl_pathv[i], "r");
        assert_non_null(f);
        for (size_t n; (n = fread(block, 1, sizeof block, f)) > 0;)
            fwrite(block, 1, n, to);
        fclose(f);
    }
    globfree(&found);
}

static bool has_word(const char *text, const char *word)
{
    size_t len = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += len)
        if (!strchr("abcdefghijklmnopqrstuvwxyz-_", at[len]) || !at[len])
            return true;
    return false;
}

static void every_option_and_command_has_a_golden(void **state)
{
    (void)state;
    char *text = NULL, word[64];
    size_t len;
    FILE *f = open_memstream(&text, &len);
    assert_non_null(f);
    append_files(f, "tests/cli/golden/*/cmd");
    fclose(f);
    assert_true(len > 0);
    int missing = 0;
    for (int i = 0; i < OPTION_COUNT; i++) {
        snprintf(word, sizeof word, "--%s", option_table[i].name);
        if (!has_word(text, word)) {
            print_error("no golden uses %s\n", word);
            missing++;
        }
    }
    for (size_t i = 0; i < command_count; i++) {
        snprintf(word, sizeof word, "volplan %s", command_table[i].name);
        if (!has_word(text, word)) {
            print_error("no golden runs %s\n", word);
            missing++;
        }
    }
    free(text);
    assert_int_equal(missing, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_are_sorted),
        cmocka_unit_test(every_option_has_its_words),
        cmocka_unit_test(every_option_belongs_somewhere),
        cmocka_unit_test(no_command_takes_a_name_twice),
        cmocka_unit_test(help_tells_all),
        cmocka_unit_test(examples_run),
        cmocka_unit_test(every_option_and_command_has_a_golden),
    };
    return cmocka_run_group_tests_name("options", tests, cli_start, cli_stop);
}
