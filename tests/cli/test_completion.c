/* tests/cli/test_completion.c - the shells offer exactly what the tables have.
 *
 * Each shell that is here runs the script that volplan writes and is asked at every place of every
 * command: the command itself, its options, the value of each option, its argument.  The folder
 * they are asked in holds a file and a folder.  Of zsh, whose completion needs a terminal, what
 * _arguments is called with is compared. */
#include "cli/completion/complete.h"
#include "cli/completion/completion.h"
#include "tests/cli/run_cli.h"
#include "tests/remove_folder.h"

#include <unistd.h>

enum { QUESTIONS = 900, OFFER_ROOM = 2000 };

static char folder[] = "/tmp/volplan-completion-XXXXXX";

/* --- what is asked, and what the tables answer ------------------------------------------------ */

struct question {
    char line[100]; /* what stands before the cursor; ends with the word to complete */
    const struct command *command;
    enum option_id id; /* whose value; OPTION_COUNT = none */
    char want[OFFER_ROOM];
};

static struct question questions[QUESTIONS];
static size_t n_questions;

static struct question *ask(const struct command *c, enum option_id id, const char *line)
{
    assert_true(n_questions < QUESTIONS);
    struct question *q = &questions[n_questions++];
    *q = (struct question){ .command = c, .id = id };
    snprintf(q->line, sizeof q->line, "%s", line);
    return q;
}

/* Paths and folders are named, since each shell has a way of its own. */
static void want(struct question *q, struct complete c)
{
    snprintf(q->want, sizeof q->want, "%s",
             c.kind == COMPLETE_PATHS     ? "PATHS"
             : c.kind == COMPLETE_FOLDERS ? "FOLDERS"
                                          : c.words);
}

static void ask_options(const struct command *c)
{
    char line[100];
    snprintf(line, sizeof line, "%s%s-", c ? c->name : "", c ? " " : "");
    struct question *q = ask(c, OPTION_COUNT, line);
    size_t at = 0;
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option *o = &option_table[i];
        if (!command_takes(c, (enum option_id)i))
            continue;
        at += (size_t)snprintf(q->want + at, OFFER_ROOM - at, " --%s", o->name);
        if (o->letter)
            at += (size_t)snprintf(q->want + at, OFFER_ROOM - at, " -%c", o->letter);
    }
    assert_true(at < OFFER_ROOM);
}

static void ask_value(const struct command *c, enum option_id id)
{
    const struct option *o = &option_table[id];
    char line[100];
    size_t at = c ? (size_t)snprintf(line, sizeof line, "%s ", c->name) : 0;
    if (o->kind == KIND_FLAG)
        return;
    snprintf(line + at, sizeof line - at, "--%s ", o->name);
    want(ask(c, id, line), complete_value(c, id));
    if (!o->letter)
        return;
    snprintf(line + at, sizeof line - at, "-%c ", o->letter);
    want(ask(c, id, line), complete_value(c, id));
}

static int ask_everything(void **state)
{
    if (cli_start(state) || !mkdtemp(folder))
        return 1;
    want(ask(NULL, OPTION_COUNT, ""), complete_command());
    want(ask(NULL, OPTION_COUNT, "--db plan --verbose "), complete_command());
    ask_options(NULL);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].global)
            ask_value(NULL, (enum option_id)i);
    for (size_t i = 0; i < command_count; i++) {
        const struct command *c = &command_table[i];
        char line[100];
        snprintf(line, sizeof line, "--json %s ", c->name);
        want(ask(c, OPTION_COUNT, line), complete_argument(c));
        ask_options(c);
        for (size_t k = 0; k < c->n_options; k++)
            ask_value(c, c->options[k].id);
        ask_value(c, OPT_DB);
    }
    return 0;
}

static int stop(void **state)
{
    return remove_folder(folder) || cli_stop(state);
}

/* --- comparing -------------------------------------------------------------------------------- */

static bool has_word(const char *words, const char *word, size_t len)
{
    for (const char *s = words; *s; s += strcspn(s, " ")) {
        s += strspn(s, " ");
        if (strcspn(s, " ") == len && strncmp(s, word, len) == 0)
            return true;
    }
    return false;
}

static bool all_in(const char *these, const char *those)
{
    for (const char *s = these; *(s += strspn(s, " ")); s += strcspn(s, " "))
        if (!has_word(those, s, strcspn(s, " ")))
            return false;
    return true;
}

static void expect(const struct question *q, const char *got)
{
    if (!all_in(q->want, got) || !all_in(got, q->want))
        fail_msg("volplan %s\n  wanted: %s\n  got:    %s", q->line, q->want, got);
}

/* --- running ---------------------------------------------------------------------------------- */

static FILE *open_file(const char *name)
{
    char path[100];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    return f;
}

/* `name`.sh: `first`, the script, then what `more` writes. */
static void write_script(const char *name, const char *first, void (*write)(struct buf *),
                         void (*more)(FILE *))
{
    char file[40];
    struct buf b = { 0 };
    write(&b);
    assert_false(b.failed);
    snprintf(file, sizeof file, "%s.sh", name);
    FILE *f = open_file(file);
    fputs(first, f);
    fwrite(b.ptr, 1, b.len, f);
    more(f);
    fclose(f);
    buf_release(&b);
}

static bool is_here(const char *shell)
{
    char command[80];
    snprintf(command, sizeof command, "command -v %s >/dev/null", shell);
    if (system(command) == 0)
        return true;
    print_message("not run: there is no %s\n", shell);
    return false;
}

/* Runs "OPTIONS FILE" in a folder with a file and a folder; a line of output answers a question. */
static void run_and_compare(const char *shell, void (*tidy)(char *answer, const struct question *))
{
    char command[200], answer[20000];
    snprintf(command, sizeof command,
             "cd %s && mkdir -p in/folder && touch in/file && cd in && HOME=$PWD %s ../%s.sh",
             folder, shell, shell);
    FILE *out = popen(command, "r");
    assert_non_null(out);
    for (size_t i = 0; i < n_questions; i++) {
        if (!fgets(answer, sizeof answer, out))
            fail_msg("%s ended before question %zu: %s", shell, i, questions[i].line);
        answer[strcspn(answer, "\n")] = '\0';
        tidy(answer, &questions[i]);
        expect(&questions[i], answer);
    }
    assert_null(fgets(answer, sizeof answer, out));
    assert_int_equal(pclose(out), 0);
}

static void expect_syntax(const char *shell)
{
    char command[100];
    snprintf(command, sizeof command, "%s -n %s/%s.sh", shell, folder, shell);
    assert_int_equal(system(command), 0);
}

/* --- bash ------------------------------------------------------------------------------------- */

static void bash_more(FILE *f)
{
    fputs("compopt() { asked=\"$2\"; }\n"
          "ask() {\n"
          "    COMP_WORDS=(\"$@\") COMP_CWORD=$(($# - 1)) COMPREPLY=() asked=\n"
          "    _volplan\n"
          "    echo \"$asked ${COMPREPLY[*]}\"\n"
          "}\n",
          f);
    for (size_t i = 0; i < n_questions; i++) {
        const char *line = questions[i].line;
        bool new_word = !*line || line[strlen(line) - 1] == ' ';
        fprintf(f, "ask volplan %s%s\n", line, new_word ? "''" : "");
    }
    fputs("exit 0\n", f);
}

static void replace_first(char *answer, const char *word, const char *by)
{
    size_t len = strlen(word);
    if (strncmp(answer, word, len) != 0)
        return;
    assert_true(strlen(by) <= len);
    memset(answer, ' ', len);
    memcpy(answer, by, strlen(by));
}

static void bash_tidy(char *answer, const struct question *q)
{
    (void)q;
    replace_first(answer, "default", "PATHS");
    replace_first(answer, "dirnames", "FOLDERS");
    replace_first(answer, "nospace", "");
}

static void bash_offers_the_tables(void **state)
{
    (void)state;
    write_script("bash", "", completion_bash, bash_more);
    expect_syntax("bash");
    run_and_compare("bash", bash_tidy);
}

static const struct bash_case {
    const char *why, *words, *want;
} bash_cases[] = {
    { "what was begun", "p", "peaks plan" },
    { "a value behind =, which readline makes a word of its own", "plan --arch = a", "arm64" },
    { "nothing behind it yet", "plan --arch =", "x86_64 arm64" },
    { "a value that is a command's name is no command", "--db = plan pla", "plan" },
    { "nor behind a blank", "--db plan pla", "plan" },
    { "a list goes on behind the comma", "plan --types gp3,io", "nospace gp3,io2 gp3,io1" },
    { "a value that may be left out", "whatif --merge-loss --gro", "--growth" },
    { "a flag takes no value", "--json pl", "plan" },
    { "no options of other commands", "vol --head", "" },
    { "the value of a letter is no command", "report -o x.html --head", "--headroom" },
    { "-o with its value behind it is one word", "report -ox.html --head", "--headroom" },
};

static void bash_case_more(FILE *f)
{
    bash_more(f);
    fseek(f, -(long)strlen("exit 0\n"), SEEK_CUR);
    for (size_t i = 0; i < sizeof bash_cases / sizeof *bash_cases; i++)
        fprintf(f, "ask volplan %s\n", bash_cases[i].words);
}

static void bash_follows_the_line(void **state)
{
    (void)state;
    char command[200], answer[1000];
    write_script("bash", "", completion_bash, bash_case_more);
    snprintf(command, sizeof command, "bash %s/bash.sh | tail -n %zu", folder,
             sizeof bash_cases / sizeof *bash_cases);
    FILE *out = popen(command, "r");
    assert_non_null(out);
    for (size_t i = 0; i < sizeof bash_cases / sizeof *bash_cases; i++) {
        assert_non_null(fgets(answer, sizeof answer, out));
        answer[strcspn(answer, "\n")] = '\0';
        const char *got = answer + strspn(answer, " ");
        if (strcmp(got, bash_cases[i].want) != 0)
            fail_msg("%s: '%s', not '%s'", bash_cases[i].why, got, bash_cases[i].want);
    }
    assert_int_equal(pclose(out), 0);
}

/* --- fish ------------------------------------------------------------------------------------- */

static void fish_more(FILE *f)
{
    for (size_t i = 0; i < n_questions; i++)
        fprintf(f, "echo (complete -C 'volplan %s' | string split -f 1 \\t)\n", questions[i].line);
}

static void fish_tidy(char *answer, const struct question *q)
{
    (void)q;
    if (strcmp(answer, "file folder/") == 0 || strcmp(answer, "folder/ file") == 0)
        strcpy(answer, "PATHS");
    else if (strcmp(answer, "folder/") == 0)
        strcpy(answer, "FOLDERS");
}

static void fish_offers_the_tables(void **state)
{
    (void)state;
    if (!is_here("fish"))
        skip();
    write_script("fish", "", completion_fish, fish_more);
    expect_syntax("fish");
    run_and_compare("fish", fish_tidy);
}

/* --- zsh -------------------------------------------------------------------------------------- */

/* _arguments -C finds the command; any other call prints its words with a tab between. */
static void zsh_more(FILE *f)
{
    fputs("_arguments() {\n"
          "    if [[ $1 == -C && -n $asked ]]; then\n"
          "        state=of_command line=($asked)\n"
          "    else\n"
          "        print -r -- ${(pj:\\t:)@}\n"
          "    fi\n"
          "}\n"
          "_describe() { print -r -- ${${(P)2}%%:*} }\n"
          "CURRENT=1 words=()\n",
          f);
    for (size_t i = 0; i < n_questions; i++)
        fprintf(f, "asked='%s'; %s\n", questions[i].command ? questions[i].command->name : "",
                *questions[i].line ? "_volplan" : "_volplan_commands");
}

/* In `answer` only the words of what _arguments was told to do: ":MESSAGE:ACTION" at its end. */
static void keep_action(char *answer, const char *spec)
{
    static const struct {
        const char *action, *is;
    } actions[] = { { "_files -/", "FOLDERS" }, { "_files", "PATHS" }, { " ", "" } };
    size_t len = strcspn(spec, "\t");
    char action[OFFER_ROOM];
    const char *colon = spec + len;
    while (colon > spec && (colon[-1] != ':' || colon[-2] == '\\'))
        colon--;
    if (colon == spec)
        fail_msg("no action in %.*s", (int)len, spec);
    snprintf(action, sizeof action, "%.*s", (int)(spec + len - colon), colon);
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(action, actions[i].action) == 0) {
            strcpy(answer, actions[i].is);
            return;
        }
    bool list = strncmp(action, "_values -s , of ", 16) == 0;
    assert_true(list || (action[0] == '(' && action[strlen(action) - 1] == ')'));
    if (!list)
        action[strlen(action) - 1] = '\0';
    strcpy(answer, action + (list ? 16 : 1));
}

static void keep_options(char *answer)
{
    char names[OFFER_ROOM] = "";
    for (const char *s = answer; *s; s += strcspn(s, "\t"), s += *s == '\t')
        if (strncmp(s, "*-", 2) == 0) {
            size_t at = strlen(names);
            snprintf(names + at, sizeof names - at, "%.*s ", (int)strcspn(s + 1, "=+[\t"), s + 1);
        }
    strcpy(answer, names);
}

static const char *find_value(const char *answer, const struct question *q)
{
    char before[60];
    if (strstr(q->line, "--") == NULL) /* "report -o " */
        snprintf(before, sizeof before, "*-%c+[", option_table[q->id].letter);
    else
        snprintf(before, sizeof before, "*--%s=[", option_table[q->id].name);
    const char *spec = strstr(answer, before);
    if (!spec)
        fail_msg("no '%s' in %s", before, answer);
    return spec;
}

/* The last word for _arguments, where it is not an option. */
static const char *find_argument(const char *answer)
{
    const char *last = strrchr(answer, '\t');
    last = last ? last + 1 : answer;
    return strncmp(last, "1:", 2) == 0 || strncmp(last, "*:", 2) == 0 ? last : NULL;
}

static void zsh_tidy(char *answer, const struct question *q)
{
    bool options = *q->line && q->line[strlen(q->line) - 1] == '-';
    char all[20000];
    strcpy(all, answer);
    if (!*q->line)
        return;
    if (options)
        keep_options(answer);
    else if (q->id != OPTION_COUNT)
        keep_action(answer, find_value(all, q));
    else if (!q->command) { /* a command, behind options: the work of the first question */
        assert_non_null(strstr(all, "\t:command:_volplan_commands\t"));
        strcpy(answer, q->want);
    } else if (find_argument(all))
        keep_action(answer, find_argument(all));
    else
        *answer = '\0';
}

static void zsh_is_told_the_tables(void **state)
{
    (void)state;
    if (!is_here("zsh"))
        skip();
    write_script("zsh", "compdef() { : }\n", completion_zsh, zsh_more);
    expect_syntax("zsh");
    run_and_compare("zsh", zsh_tidy);
}

/* --- what the tables are read as -------------------------------------------------------------- */

static void expect_complete(struct complete c, enum complete_kind kind, const char *words)
{
    assert_int_equal(c.kind, kind);
    assert_string_equal(c.words, words);
}

static void places_of_the_tables(void **state)
{
    (void)state;
    static const char types[] = "gp3 gp2 io2 io1 st1 sc1 standard";
    const struct command *plan = command_find("plan");
    expect_complete(complete_argument(command_find("vol")), COMPLETE_WORDS, types);
    expect_complete(complete_argument(command_find("instance")), COMPLETE_NOTHING, "");
    expect_complete(complete_argument(command_find("ingest")), COMPLETE_PATHS, "");
    expect_complete(complete_argument(command_find("inspect")), COMPLETE_PATHS, "");
    expect_complete(complete_argument(command_find("diagnose")), COMPLETE_PATHS, "");
    expect_complete(complete_argument(command_find("reconcile")), COMPLETE_PATHS, "");
    expect_complete(complete_argument(command_find("catalog")), COMPLETE_NOTHING, "");
    expect_complete(complete_argument(plan), COMPLETE_NOTHING, "");
    expect_complete(complete_argument(command_find("completion")), COMPLETE_WORDS, "bash zsh fish");
    expect_complete(complete_argument(command_find("fetch")), COMPLETE_WORDS,
                    "volumes cloudwatch instance-types prices");
    expect_complete(complete_value(plan, OPT_ARCH), COMPLETE_WORDS, "x86_64 arm64");
    expect_complete(complete_value(plan, OPT_TYPES), COMPLETE_LIST, types);
    expect_complete(complete_value(plan, OPT_HEADROOM), COMPLETE_NOTHING, "");
    expect_complete(complete_value(plan, OPT_PHASES), COMPLETE_PATHS, "");
    expect_complete(complete_value(NULL, OPT_DB), COMPLETE_PATHS, "");
    expect_complete(complete_value(NULL, OPT_FACTS), COMPLETE_FOLDERS, "");
    struct complete ingest = complete_value(command_find("ingest"), OPT_FORMAT);
    assert_true(has_word(ingest.words, "cur2", 4));
    assert_false(has_word(ingest.words, "plan", 4)); /* that inspect alone reads */
    ingest = complete_value(command_find("inspect"), OPT_FORMAT);
    assert_true(has_word(ingest.words, "plan", 4));
}

static void alternatives_of_usage(void **state)
{
    (void)state;
    struct command c = { .name = "store" };
    c.args = "init [--citus | --fdw HOST,...]|check|copy FROM TO|prune --before DATE|[--quiet]";
    expect_complete(complete_argument(&c), COMPLETE_WORDS, "init check copy prune");
    c.args = "[SYSTEM | --all]";
    expect_complete(complete_argument(&c), COMPLETE_NOTHING, "");
    c.args = "PROFILE";
    expect_complete(complete_argument(&c), COMPLETE_NOTHING, "");
}

static void scripts_are_printed(void **state)
{
    (void)state;
    static const char *const shells[] = { "bash", "zsh", "fish" };
    static void (*const write[])(struct buf *) = { completion_bash, completion_zsh,
                                                   completion_fish };
    for (size_t i = 0; i < 3; i++) {
        char line[60];
        struct buf b = { 0 };
        write[i](&b);
        buf_put(&b, "", 1);
        snprintf(line, sizeof line, "completion %s", shells[i]);
        struct cli_result r = run_cli(line);
        assert_int_equal(r.status, 0);
        assert_string_equal(r.out, b.ptr);
        free_cli(&r);
        buf_release(&b);
    }
    struct cli_result r = run_cli("completion bsah");
    assert_int_equal(r.status, 2);
    assert_non_null(strstr(r.err, "'bash'"));
    free_cli(&r);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_of_the_tables),   cmocka_unit_test(alternatives_of_usage),
        cmocka_unit_test(scripts_are_printed),    cmocka_unit_test(bash_offers_the_tables),
        cmocka_unit_test(bash_follows_the_line),  cmocka_unit_test(fish_offers_the_tables),
        cmocka_unit_test(zsh_is_told_the_tables),
    };
    return cmocka_run_group_tests_name("completion", tests, ask_everything, stop);
}
