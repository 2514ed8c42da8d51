/* cli/main.c - what the world tells the program: arguments, environment, clock, terminal. */
#include "cli/app.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static int64_t ms_of(clockid_t clock)
{
    struct timespec t = { 0 };
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int64_t ticks_ms(void)
{
    return ms_of(CLOCK_MONOTONIC);
}

static int terminal_columns(void)
{
    const char *text = getenv("COLUMNS");
    struct span s = span_of(text);
    int64_t n;
    if (text && span_int(&s, &n) == 0 && !s.len && n > 0 && n < 10000)
        return (int)n;
    struct winsize w;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 || /* it may be a pipe */
                 ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0;
    return known ? w.ws_col : 0;
}

/* The locale's character set, by its name as setlocale would choose it: volplan has no locale. */
static bool locale_is_utf8(void)
{
    static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}

static const char *variable(const char *name)
{
    return getenv(name);
}

/* --- Ctrl-C ------------------------------------------------------------------------------------
 */

static volatile sig_atomic_t stop_signal;

static void note_stop(int signal_number)
{
    stop_signal = signal_number;
}

/* One that is ignored, as under nohup, stays so. */
static void catch_one(int signal_number, bool on)
{
    struct sigaction was, is = { .sa_handler = on ? note_stop : SIG_DFL,
                                 .sa_flags = SA_RESTART | (on ? (int)SA_RESETHAND : 0) };
    if (sigaction(signal_number, NULL, &was) == 0 && was.sa_handler != SIG_IGN)
        sigaction(signal_number, &is, NULL);
}

static void catch_stop(bool on)
{
    catch_one(SIGINT, on);
    catch_one(SIGTERM, on);
}

static bool stopped(void)
{
    return stop_signal != 0;
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); /* a reader that went away is a failed write, not a death */
    int status = cli_global_init(stderr);
    if (status)
        return status;
    const char *no_color = getenv("NO_COLOR");
    struct cli_env env = {
        .now_ms = ms_of(CLOCK_REALTIME),
        .today = getenv("VOLPLAN_TODAY"),
        .db = getenv("VOLPLAN_DB"),
        .no_color = no_color && *no_color,
        .utf8 = locale_is_utf8(),
        .columns = terminal_columns(),
        .out_is_terminal = isatty(STDOUT_FILENO),
        .err_is_terminal = isatty(STDERR_FILENO),
        .ticks_ms = ticks_ms,
        .variable = variable,
        .catch_stop = catch_stop,
        .stopped = stopped,
    };
    status = cli_run(argc, (const char *const *)argv, &env, stdout, stderr);
    cli_global_release();
    return status == err_exit_status(ERR_STOPPED) ? 128 + stop_signal : status;
}
