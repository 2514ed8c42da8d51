/* data/fetch/aws_profile.c - see aws_profile.h. */
#include "data/fetch/aws_profile.h"

#include "data/ingest/source.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool is_comment(struct span line)
{
    return !line.len || line.ptr[0] == '#' || line.ptr[0] == ';';
}

/* A name with blanks may stand in quotes. */
static struct span unquote(struct span s)
{
    bool quoted =
        s.len > 1 && (s.ptr[0] == '"' || s.ptr[0] == '\'') && s.ptr[s.len - 1] == s.ptr[0];
    return quoted ? span_cut(s, 1, s.len - 1) : s;
}

/* "[profile x]" of config, "[x]" of credentials; a config's default needs no "profile".  Behind the
 * bracket is a comment. */
static bool is_section(struct span line, const char *name, bool config)
{
    ptrdiff_t end = span_find(line, "]");
    if (!span_starts(line, "[") || end < 0)
        return false;
    struct span inner = span_trim(span_cut(line, 1, (size_t)end)), word;
    if (!config || span_is(inner, "default"))
        return span_is(inner, name);
    return span_word(&inner, &word) == 0 && span_is(word, "profile") &&
           span_is(unquote(span_trim(inner)), name);
}

static const char **place_of(struct aws_profile *p, struct span key)
{
    const struct {
        const char *name, **place;
    } keys[] = {
        { "aws_access_key_id", &p->access_key },
        { "aws_secret_access_key", &p->secret_key },
        { "aws_session_token", &p->session_token },
        { "region", &p->region },
        { "credential_process", &p->process },
        { "sso_session", &p->sso },
        { "sso_start_url", &p->sso },
        { "role_arn", &p->role },
        { "web_identity_token_file", &p->web },
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (span_eq_nocase(key, span_of(keys[i].name)))
            return keys[i].place;
    return NULL;
}

/* A setting that is known already stays: the credentials file is read first. */
static int take_setting(struct aws_profile *p, const struct aws_profile *before, struct span line,
                        struct arena *a, struct err *e)
{
    struct span key, value = line;
    if (span_field(&value, '=', &key) || !value.ptr)
        return 0; /* not ours to judge: other tools read this file too */
    const char **place = place_of(p, span_trim(key));
    value = span_trim(value);
    if (!place || !value.len)
        return 0;
    size_t at = (size_t)((const char *)place - (const char *)p);
    const char *known;
    memcpy(&known, (const char *)before + at, sizeof known);
    if (known)
        return 0;
    *place = arena_strndup(a, value.ptr, value.len);
    return *place ? 0 : err_nomem(e);
}

static int read_section(struct source *src, bool config, struct arena *a, struct aws_profile *p,
                        struct err *e)
{
    const struct aws_profile before = *p;
    struct span line;
    bool inside = false;
    int rc = 0, more = 0;
    while (!rc && (more = source_line(src, &line, e)) == 1) {
        bool nested = line.len && (line.ptr[0] == ' ' || line.ptr[0] == '\t'); /* "s3 =" lists */
        line = span_trim(line);
        if (is_comment(line) || nested)
            continue;
        if (span_starts(line, "[")) {
            inside = is_section(line, p->name, config);
            p->found = p->found || inside;
        } else if (inside) {
            rc = take_setting(p, &before, line, a, e);
        }
    }
    return rc ? rc : more;
}

static int read_file(const struct aws_environment *env, const char *variable, const char *file,
                     bool config, struct arena *a, struct aws_profile *p, struct err *e)
{
    const char *path = aws_variable(env, variable), *home = aws_variable(env, "HOME");
    struct stat st;
    if (!path && !home)
        return 0;
    if (!path)
        path = arena_printf(a, "%s/.aws/%s", home, file);
    if (!path)
        return err_nomem(e);
    if (stat(path, &st) && (errno == ENOENT || errno == ENOTDIR))
        return 0;
    struct source *src;
    int rc = source_open(path, &src, e);
    if (rc)
        return rc;
    rc = read_section(src, config, a, p, e);
    source_close(src);
    return rc;
}

int aws_profile_read(const struct aws_environment *env, struct arena *a, struct aws_profile *out,
                     struct err *e)
{
    const char *name = aws_variable(env, "AWS_PROFILE");
    if (!name)
        name = aws_variable(env, "AWS_DEFAULT_PROFILE");
    *out = (struct aws_profile){ .name = name ? name : "default" };
    int rc = read_file(env, "AWS_SHARED_CREDENTIALS_FILE", "credentials", false, a, out, e);
    if (!rc)
        rc = read_file(env, "AWS_CONFIG_FILE", "config", true, a, out, e);
    if (!rc && name && !out->found)
        rc = err_set(e, ERR_NET_FINAL, "profile '%.80s' is in neither file of ~/.aws", name);
    return rc;
}
