/* data/ingest/oswatcher/oswatcher.c - see oswatcher.h. */
#include "data/ingest/oswatcher/oswatcher.h"

#include "data/ingest/iostat/iostat.h"
#include "data/ingest/oswatcher/zzz.h"

/* A zzz line, with nothing before it but blank lines, comments and the collector's own line. */
static bool begins_as_archive(struct span head, struct span *first_line)
{
    struct span line;
    struct zzz z;
    while (span_field(&head, '\n', &line) == 0) {
        line = span_trim(line);
        if (zzz_parse(line, &z) == 0)
            break;
        if (line.len && line.ptr[0] != '#' && !span_starts(line, "Linux OSW") &&
            !span_starts(line, "AIX OSW") && !span_starts(line, "SunOS OSW") &&
            !span_starts(line, "HP-UX OSW"))
            return false;
    }
    *first_line = (struct span){ NULL, 0 };
    while (span_field(&head, '\n', &line) == 0 && !first_line->len)
        *first_line = zzz_parse(line, &z) ? span_trim(line) : (struct span){ NULL, 0 };
    return first_line->len > 0;
}

int oswatcher_detect(struct span head)
{
    struct span first;
    return begins_as_archive(head, &first) ? 100 : 0;
}

int oswatcher_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                   struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    struct span head, first;
    int rc = source_head(src, &head, e);
    if (rc)
        return rc;
    if (begins_as_archive(head, &first) && !iostat_detect(head))
        return err_set(e, ERR_PARSE,
                       "%s:1: an archive of OSWatcher without iostat in it (below its first line: "
                       "'%.*s'); figures of devices are in the files of iostat",
                       source_path(src), SPAN_ARG(first));
    return iostat_read(src, o, sink, a, rows, skipped, e);
}
