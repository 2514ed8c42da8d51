/* data/ingest/volumes/modifications.c - describe-volumes-modifications, and modify-volume's answer.
 */
#include "data/ingest/json/json_doc.h"
#include "data/ingest/volumes/volumes.h"

int modifications_detect(struct span head)
{
    if (json_head_has(head, "VolumesModifications") || json_head_has(head, "VolumeModification"))
        return 95;
    return json_head_is_array(head) && json_head_has(head, "TargetSize") ? 85 : 0;
}

static int read_spec(struct feed *f, const cJSON *m, const char *const keys[4], int64_t line,
                     struct volume_spec *out)
{
    struct span type = json_text(m, keys[0]);
    *out = (struct volume_spec){
        .type = VOL_TYPE_COUNT,
        .count = 1,
        .size_gib = json_int(m, keys[1]),
        .iops = json_int(m, keys[2]),
        .throughput_mibps = json_int(m, keys[3]),
    };
    if (!type.len || volume_type_parse(type, &out->type) == 0)
        return 0;
    return feed_warn(f, line, "unknown volume type '%.*s'", SPAN_ARG(type));
}

static int read_modification(struct feed *f, const cJSON *m, int64_t line, void *ctx)
{
    static const char *const original[] = { "OriginalVolumeType", "OriginalSize", "OriginalIops",
                                            "OriginalThroughput" };
    static const char *const target[] = { "TargetVolumeType", "TargetSize", "TargetIops",
                                          "TargetThroughput" };
    (void)ctx;
    struct volume_modification v = {
        .volume_id = span_trim(json_text(m, "VolumeId")),
        .state = json_text(m, "ModificationState"),
        .start_ms = UNKNOWN,
        .end_ms = UNKNOWN,
        .progress_pct = json_num(m, "Progress"),
        .line = line,
    };
    if (!span_starts(v.volume_id, "vol-"))
        return feed_fault(f, line, "a modification without VolumeId");
    int rc = read_spec(f, m, original, line, &v.from);
    if (!rc)
        rc = read_spec(f, m, target, line, &v.to);
    if (rc)
        return rc;
    int64_t t;
    if (json_time(f, cJSON_GetObjectItemCaseSensitive(m, "StartTime"), line, &t, &rc) == 0)
        v.start_ms = t;
    if (!rc && json_time(f, cJSON_GetObjectItemCaseSensitive(m, "EndTime"), line, &t, &rc) == 0)
        v.end_ms = t;
    return rc ? rc : feed_modification(f, &v);
}

static int read_all(struct feed *f)
{
    return json_each_of_list(f, "VolumesModifications", "VolumeModification", read_modification,
                             NULL);
}

int modifications_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                       struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_all);
}
