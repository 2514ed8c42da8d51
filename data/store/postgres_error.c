/* data/store/postgres_error.c - what went wrong with a PostgreSQL server, and what to do.
 *
 * No message holds a password: a URL with one is refused before anything else, and libpq says none.
 */
#include "data/store/postgres_db.h"

#include <string.h>

/* Of a store's URL, which may be long, as much as leaves room for what went wrong. */
#define NAMED "%.160s: "

/* The first line of what libpq says, without "ERROR:  ". */
static struct span first_line(const char *message)
{
    struct span s = span_of(message), line = { NULL, 0 };
    span_field(&s, '\n', &line);
    line = span_trim(line);
    ptrdiff_t colon = span_find(line, ":  ");
    return colon > 0 && colon < 10 ? span_trim(span_cut(line, (size_t)colon + 1, line.len)) : line;
}

struct hint {
    const char *sign, *words;
};

static const struct hint *find_hint(const struct hint *hints, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++)
        if (strstr(text, hints[i].sign))
            return &hints[i];
    return NULL;
}

/* A refused connection has no SQLSTATE, only words. */
static const struct hint connect_hints[] = {
    { "no password supplied", "put the password into ~/.pgpass, a service file or PGPASSWORD" },
    { "password authentication failed",
      "check user and password (~/.pgpass, a service file or PGPASSWORD)" },
    { "authentication failed", "check the user's way to log in (pg_hba.conf of the server)" },
    { "no pg_hba.conf entry", "the server's pg_hba.conf does not let this user in from here" },
    { "permission denied for database",
      "this user may not enter it; docs/fleets.md has the SQL that makes the roles" },
    { "not currently accepting connections", "the database is closed; ask who runs the server" },
    { "database \"", "create it (createdb), then make the store in it with 'volplan store init'" },
    { "role \"", "docs/fleets.md has the SQL that makes the roles" },
    { "could not translate host name", "check the host name in the URL" },
    { "Connection refused", "is the server running, and are host and port right?" },
    { "No such file or directory", "is the server running, and are host and port right?" },
    { "timeout expired", "nothing answers there; check host, port and firewall" },
    { "too many", "the server takes no more connections; try again, or fewer --jobs" },
    { "starting up", "the server is starting; try again in a moment" },
    { "closed the connection", "the server stopped, or something on the way cuts connections; try "
                               "again in a moment" },
    { "shutting down", "the server is stopping; try again when it is back" },
    { "SSL", "check sslmode and the certificates that the URL names" },
    { "certificate", "check sslmode and the certificates that the URL names" },
};

int postgres_connect_error(const struct store *s, struct err *e)
{
    const struct postgres *b = s->backend;
    const char *message = PQerrorMessage(b->conn);
    struct span line = first_line(message);
    const struct hint *h =
        find_hint(connect_hints, sizeof connect_hints / sizeof *connect_hints, message);
    return err_set(e, ERR_STORE, NAMED "%.*s%s%s", s->path, (int)line.len, line.ptr, h ? "; " : "",
                   h ? h->words : "");
}

/* Who is cut off from a commit does not know whether it was made. */
#define WHOLE_OR_NOT                                                                               \
    "what was being written is there whole or not at all: run the command again when it is back"

/* By SQLSTATE, or its class. */
static const struct hint state_hints[] = {
    { "42P01", "no store in this database; 'volplan store init' makes one" },
    { "3F000", "no store in this database; 'volplan store init' makes one" },
    { "42501",
      "this user may not do that; docs/fleets.md has the SQL for loading and reading roles" },
    { "25006", "the server can only be read (a standby, or a reading role)" },
    { "55P03", "locked by another loader for too long; run the command again" },
    { "57014", "the server gave up after its time-out; run the command again" },
    { "40P01", "the server broke a deadlock; run the command again" },
    { "53100", "no space left on the server's disk" },
    { "53200", "the server is out of memory" },
    { "08", "a server that keeps a part of the store does not answer; run the command again when "
            "it is back" },
    { "2F003", "the server has no password for those that keep the parts of the store; "
               "docs/fleets.md says where it is given" },
    { "57P", "the server stopped; " WHOLE_OR_NOT },
};

static const struct hint *state_hint(const char *state)
{
    for (size_t i = 0; state && i < sizeof state_hints / sizeof *state_hints; i++)
        if (strncmp(state, state_hints[i].sign, strlen(state_hints[i].sign)) == 0)
            return &state_hints[i];
    return NULL;
}

int postgres_error(const struct store *s, const PGresult *r, struct err *e)
{
    const struct postgres *b = s->backend;
    const struct hint *h = state_hint(r ? PQresultErrorField(r, PG_DIAG_SQLSTATE) : NULL);
    const char *message = r ? PQresultErrorMessage(r) : "";
    struct span line = first_line(*message ? message : PQerrorMessage(b->conn));
    const char *detail = r ? PQresultErrorField(r, PG_DIAG_MESSAGE_DETAIL) : NULL;
    if (h && detail && strncmp(h->sign, "08", 2) == 0)
        line = first_line(detail); /* which server */
    if (h)
        return err_set(e, ERR_STORE, NAMED "%s (%.*s)", s->path, h->words, (int)line.len, line.ptr);
    if (PQstatus(b->conn) == CONNECTION_BAD)
        return err_set(e, ERR_STORE, NAMED "the server went away; " WHOLE_OR_NOT " (%.*s)", s->path,
                       (int)line.len, line.ptr);
    return err_set(e, ERR_STORE, NAMED "%.*s", s->path, (int)line.len, line.ptr);
}
