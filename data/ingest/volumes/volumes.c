/* data/ingest/volumes/volumes.c - describe-volumes: JSON, --query lists and --output table. */
#include "data/ingest/volumes/volumes.h"
#include "data/ingest/json/json_doc.h"
#include "data/ingest/volumes/volume_keys.h"

#include <math.h>
#include <string.h>

enum { TABLE_COLUMNS_MAX = 32 };

/* The second line of --output table is its title. */
static bool is_table(struct span head)
{
    struct span line;
    if (span_field(&head, '\n', &line) || !span_starts(line, "-----"))
        return false;
    return span_field(&head, '\n', &line) == 0 && span_starts(line, "|") &&
           span_find(line, "DescribeVolumes") >= 0;
}

int volumes_detect(struct span head)
{
    if (json_head_has(head, "Volumes"))
        return 95;
    if (json_head_has(head, "VolumeStatuses"))
        return 50;
    if (is_table(head))
        return 90;
    return json_head_is_array(head) && span_find(head, "vol-") >= 0 ? 50 : 0;
}

static struct volume_spec unknown_spec(void)
{
    return (struct volume_spec){
        .type = VOL_TYPE_COUNT,
        .count = 1,
        .size_gib = UNKNOWN,
        .iops = UNKNOWN,
        .throughput_mibps = UNKNOWN,
    };
}

static struct volume_config unknown_volume(int64_t line)
{
    return (struct volume_config){
        .spec = unknown_spec(),
        .created_ms = UNKNOWN,
        .attached_ms = UNKNOWN,
        .attachments = UNKNOWN,
        .ebs_card = UNKNOWN,
        .line = line,
    };
}

static int set_type(struct feed *f, struct volume_config *v, struct span type)
{
    if (!type.len || volume_type_parse(type, &v->spec.type) == 0)
        return 0;
    return feed_warn(f, v->line, "%.*s: unknown volume type '%.*s'", SPAN_ARG(v->volume_id),
                     SPAN_ARG(type));
}

static struct span name_tag(const cJSON *tags)
{
    const cJSON *tag;
    cJSON_ArrayForEach(tag, tags)
    {
        if (span_is(json_text(tag, "Key"), "Name"))
            return json_text(tag, "Value");
    }
    return (struct span){ 0 };
}

static int64_t optional_time(struct feed *f, const cJSON *item, int64_t line, int *rc)
{
    int64_t t;
    return item && json_time(f, item, line, &t, rc) == 0 ? t : UNKNOWN;
}

/* The item under the one key that means `wanted`; NULL when none does.  Two that do are an error.
 */
static const cJSON *item_of(struct feed *f, const cJSON *volume, enum volume_key wanted,
                            int64_t line, int *rc)
{
    const cJSON *item, *found = NULL;
    cJSON_ArrayForEach(item, volume)
    {
        if (!item->string || volume_key_of(span_of(item->string)) != wanted)
            continue;
        if (found)
            *rc = feed_fault(f, line, "the keys '%.40s' and '%.40s' may both mean the same",
                             found->string, item->string);
        found = item;
    }
    return found;
}

static struct span text_of(const cJSON *item)
{
    return span_of(cJSON_GetStringValue(item));
}

static int64_t int_of(const cJSON *item)
{
    double v = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    return v >= 0 && v <= 9e15 ? (int64_t)v : UNKNOWN;
}

static int hand_over_attachment(struct feed *f, const struct volume_config *v, const cJSON *a)
{
    struct fields r = { .n = 0 };
    fields_text(&r, "volume_id", v->volume_id);
    fields_text(&r, "instance_id", json_text(a, "InstanceId"));
    fields_text(&r, "device", json_text(a, "Device"));
    fields_text(&r, "state", json_text(a, "State"));
    fields_num(&r, "ebs_card", UNIT_COUNT, json_num(a, "EbsCardIndex"));
    return feed_record(f, &(struct record){ "attachments", UNKNOWN, r.at, r.n, v->line });
}

/* The first attachment goes into the volume; when there are several, each is a record too. */
static int read_attachments(struct feed *f, struct volume_config *v, const cJSON *list)
{
    int n = cJSON_GetArraySize(list), rc = 0;
    if (!cJSON_IsArray(list))
        return 0;
    v->attachments = n;
    const cJSON *a = list->child;
    if (!a)
        return 0;
    v->instance_id = json_text(a, "InstanceId");
    v->device = json_text(a, "Device");
    v->ebs_card = json_int(a, "EbsCardIndex");
    v->attached_ms =
        optional_time(f, cJSON_GetObjectItemCaseSensitive(a, "AttachTime"), v->line, &rc);
    for (; !rc && n > 1 && a; a = a->next)
        rc = hand_over_attachment(f, v, a);
    return rc;
}

static int read_volume(struct feed *f, const cJSON *volume, int64_t line, void *ctx)
{
    (void)ctx;
    const cJSON *item[VOLUME_KEY_COUNT];
    struct volume_config v = unknown_volume(line);
    int rc = 0;
    if (!cJSON_IsObject(volume))
        return feed_fault(f, line,
                          "a volume without keys: --query must name its columns, as in "
                          "{VolumeId:VolumeId,Size:Size}");
    for (int i = 0; i < VOLUME_KEY_COUNT; i++)
        item[i] = item_of(f, volume, (enum volume_key)i, line, &rc);
    if (rc)
        return rc;
    v.volume_id = span_trim(text_of(item[KEY_VOLUME_ID]));
    if (!span_starts(v.volume_id, "vol-"))
        return feed_fault(f, line, "a volume without VolumeId");
    v.state = text_of(item[KEY_STATE]);
    v.zone = text_of(item[KEY_ZONE]);
    v.name = text_of(item[KEY_NAME]);
    if (!v.name.len)
        v.name = name_tag(item[KEY_TAGS]);
    v.snapshot_id = text_of(item[KEY_SNAPSHOT]);
    v.instance_id = text_of(item[KEY_INSTANCE]);
    v.device = text_of(item[KEY_DEVICE]);
    v.spec.size_gib = int_of(item[KEY_SIZE]);
    v.spec.iops = int_of(item[KEY_IOPS]);
    v.spec.throughput_mibps = int_of(item[KEY_THROUGHPUT]);
    v.multi_attach = json_true(volume, "MultiAttachEnabled");
    v.created_ms = optional_time(f, item[KEY_CREATED], line, &rc);
    if (!rc)
        rc = set_type(f, &v, text_of(item[KEY_TYPE]));
    if (!rc)
        rc = read_attachments(f, &v, cJSON_GetObjectItemCaseSensitive(volume, "Attachments"));
    if (rc)
        return rc;
    if (!item[KEY_SIZE] && !item[KEY_TYPE]) {
        f->skipped++;
        return feed_warn(f, line, "%.*s: neither size nor type in the list; not read",
                         SPAN_ARG(v.volume_id));
    }
    return feed_volume(f, &v);
}

/* Cells between '|', trimmed; the text before the first and behind the last is not one. */
static size_t split_row(struct span line, struct span cells[TABLE_COLUMNS_MAX])
{
    size_t n = 0;
    struct span cell;
    line = span_trim(line);
    line = span_cut(line, 1, line.len ? line.len - 1 : 0);
    while (n < TABLE_COLUMNS_MAX && span_field(&line, '|', &cell) == 0)
        cells[n++] = span_trim(cell);
    return n;
}

static int read_row(struct feed *f, const enum volume_key *keys, const struct span *cells, size_t n)
{
    struct volume_config v = unknown_volume(source_line_no(f->src));
    struct span type = { 0 };
    struct span ignored, *texts[VOLUME_KEY_COUNT] = {
        [KEY_VOLUME_ID] = &v.volume_id,
        [KEY_TYPE] = &type,
        [KEY_STATE] = &v.state,
        [KEY_ZONE] = &v.zone,
        [KEY_INSTANCE] = &v.instance_id,
        [KEY_DEVICE] = &v.device,
        [KEY_NAME] = &v.name,
        [KEY_TAGS] = &ignored,
        [KEY_CREATED] = &ignored,
        [KEY_SNAPSHOT] = &v.snapshot_id,
    };
    int64_t *numbers[VOLUME_KEY_COUNT] = {
        [KEY_SIZE] = &v.spec.size_gib,
        [KEY_IOPS] = &v.spec.iops,
        [KEY_THROUGHPUT] = &v.spec.throughput_mibps,
    };
    for (size_t i = 0; i < n; i++) {
        struct span cell = cells[i];
        if (keys[i] == VOLUME_KEY_COUNT || span_is(cell, "None"))
            continue;
        if (texts[keys[i]])
            *texts[keys[i]] = cell;
        else if (span_int(&cell, numbers[keys[i]]) || cell.len || *numbers[keys[i]] < 0)
            return feed_fault(f, v.line, "bad number '%.*s'", SPAN_ARG(cells[i]));
    }
    if (!span_starts(v.volume_id, "vol-"))
        return feed_fault(f, v.line, "a row without a volume id");
    int rc = set_type(f, &v, type);
    return rc ? rc : feed_volume(f, &v);
}

/* The row of headings; non-zero when it names no volume id. */
static int read_headings(const struct span *cells, size_t n, enum volume_key *keys)
{
    bool has_id = false;
    for (size_t i = 0; i < n; i++) {
        keys[i] = volume_key_of(cells[i]);
        has_id = has_id || keys[i] == KEY_VOLUME_ID;
    }
    return has_id ? 0 : -1;
}

static int read_table(struct feed *f)
{
    enum volume_key keys[TABLE_COLUMNS_MAX];
    struct span line, cells[TABLE_COLUMNS_MAX];
    size_t n_columns = 0;
    int rc = 0, more = 0;
    while (!rc && (more = source_line(f->src, &line, f->err)) == 1) {
        if (!span_starts(line, "|"))
            continue;
        size_t n = split_row(line, cells);
        if (span_starts(line, "||"))
            return feed_fault(f, source_line_no(f->src),
                              "nested tables are not read; use --query "
                              "or --output json");
        if (source_line_no(f->src) == 2)
            continue; /* the title */
        if (!n_columns) {
            if (read_headings(cells, n, keys))
                return feed_fault(f, source_line_no(f->src),
                                  "no row of headings with a volume id; "
                                  "use --query with names, or --output json");
            n_columns = n;
        } else if (n != n_columns) {
            return feed_fault(f, source_line_no(f->src), "%zu cells where the headings are %zu", n,
                              n_columns);
        } else {
            rc = read_row(f, keys, cells, n);
        }
    }
    return rc ? rc : more;
}

static int read_any(struct feed *f)
{
    struct span head;
    int rc = source_head(f->src, &head, f->err);
    if (rc)
        return rc;
    if (is_table(head))
        return read_table(f);
    if (json_head_has(head, "VolumeStatuses"))
        return feed_fault(f, 1,
                          "describe-volume-status says nothing of size, type or load; use "
                          "describe-volumes");
    rc = json_each_of_list(f, "Volumes", NULL, read_volume, NULL);
    if (!rc && !f->rows && f->skipped)
        return feed_fault(f, 1, "the list has neither sizes nor types of its volumes");
    return rc;
}

int volumes_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                 struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_any);
}
