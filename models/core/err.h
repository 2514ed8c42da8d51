/* models/core/err.h - error codes and the words that go with them.
 *
 * Functions return 0 or a negative code of ERR_TABLE and put the words into the
 * caller's struct err.  Lower layers never print and never exit; the one
 * exception is BUG(), which ends the process with status 4. */
#ifndef MODELS_CORE_ERR_H
#define MODELS_CORE_ERR_H

/* X(name, code, meaning, exit status of the program) */
#define ERR_TABLE(X)                                                                               \
    X(ERR_NOMEM, -1, "out of memory", 5)                                                           \
    X(ERR_PARSE, -2, "malformed input", 3)                                                         \
    X(ERR_USAGE, -3, "wrong usage", 2)                                                             \
    X(ERR_FILE, -4, "file cannot be read", 3)                                                      \
    X(ERR_LIMIT, -5, "input beyond a safety limit", 3)                                             \
    X(ERR_STORE, -6, "store cannot be read or written", 5)                                         \
    X(ERR_IO, -7, "output cannot be written", 5)                                                   \
    X(ERR_NO, -8, "the answer is no", 1)                                                           \
    X(ERR_NET, -9, "service does not answer", 5)                                                   \
    X(ERR_NET_FINAL, -10, "service refuses", 5)                                                    \
    X(ERR_STOPPED, -11, "stopped by the user", 130)                                                \
    X(ERR_PIPE, -12, "nobody reads the output any more", 141)

enum err_code {
#define X(name, code, meaning, status) name = (code),
    ERR_TABLE(X)
#undef X
};

struct err {
    int code;
    char text[480];
};

/* Sets code and text; returns code, so that a caller can `return err_set(...)`.
 * e may be NULL.  Text that does not fit is cut. */
int err_set(struct err *e, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Puts "prefix: " before the text that is there; returns e->code. */
int err_prefix(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Meaning of a code; "unknown error" for a number that is not in ERR_TABLE. */
const char *err_meaning(int code);

/* Sets ERR_NOMEM with its standard words; returns ERR_NOMEM.  Inline: so analyzers see that it is
 * never 0. */
static inline int err_nomem(struct err *e)
{
    err_set(e, ERR_NOMEM, "%s", err_meaning(ERR_NOMEM));
    return ERR_NOMEM;
}

/* Exit status of the program for a code (DESIGN: 1 no, 2 usage, 3 input, 5 resources; 130 and 141
 * as shells say that Ctrl-C or SIGPIPE ended it). */
int err_exit_status(int code);

/* Our own mistake: writes file, line and text to standard error, exits with 4. */
#define BUG(text) err_bug(__FILE__, __LINE__, text)
_Noreturn void err_bug(const char *file, int line, const char *text);

#endif
