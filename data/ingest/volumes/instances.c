/* data/ingest/volumes/instances.c - describe-instances: what the volumes are attached to.
 *
 * A device name here (/dev/sdf) is not the guest's (/dev/nvme1n1), and a mapping has no size:
 * join it with describe-volumes by volume id. */
#include "data/ingest/json/json_doc.h"
#include "data/ingest/volumes/volumes.h"

int instances_detect(struct span head)
{
    if (json_head_has(head, "Reservations"))
        return 95;
    return json_head_is_array(head) && json_head_has(head, "InstanceId") &&
                   json_head_has(head, "InstanceType")
               ? 80
               : 0;
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

static int read_device(struct feed *f, struct span instance_id, const cJSON *mapping, int64_t line)
{
    const cJSON *ebs = cJSON_GetObjectItemCaseSensitive(mapping, "Ebs");
    int rc = 0;
    int64_t attached = UNKNOWN, t;
    if (!json_text(ebs, "VolumeId").len)
        return 0; /* instance store */
    if (json_time(f, cJSON_GetObjectItemCaseSensitive(ebs, "AttachTime"), line, &t, &rc) == 0)
        attached = t;
    if (rc)
        return rc;
    struct fields r = { .n = 0 };
    fields_text(&r, "instance_id", instance_id);
    fields_text(&r, "device", json_text(mapping, "DeviceName"));
    fields_text(&r, "volume_id", json_text(ebs, "VolumeId"));
    fields_text(&r, "state", json_text(ebs, "Status"));
    fields_num(&r, "ebs_card", UNIT_COUNT, json_num(ebs, "EbsCardIndex"));
    return feed_record(f, &(struct record){ "block_devices", attached, r.at, r.n, line });
}

static int read_instance(struct feed *f, const cJSON *instance, int64_t line)
{
    struct span id = json_text(instance, "InstanceId");
    const cJSON *cpu = cJSON_GetObjectItemCaseSensitive(instance, "CpuOptions");
    const cJSON *devices = cJSON_GetObjectItemCaseSensitive(instance, "BlockDeviceMappings");
    if (!id.len)
        return feed_fault(f, line, "an instance without InstanceId");
    int rc = 0;
    int64_t launched = UNKNOWN, t;
    if (json_time(f, cJSON_GetObjectItemCaseSensitive(instance, "LaunchTime"), line, &t, &rc) == 0)
        launched = t;
    if (rc)
        return rc;
    struct fields r = { .n = 0 };
    fields_text(&r, "instance_id", id);
    fields_text(&r, "instance_type", json_text(instance, "InstanceType"));
    fields_text(&r, "name", name_tag(cJSON_GetObjectItemCaseSensitive(instance, "Tags")));
    fields_text(&r, "state",
                json_text(cJSON_GetObjectItemCaseSensitive(instance, "State"), "Name"));
    fields_text(&r, "zone",
                json_text(cJSON_GetObjectItemCaseSensitive(instance, "Placement"),
                          "AvailabilityZone"));
    fields_text(&r, "ebs_optimized", span_of(json_true(instance, "EbsOptimized") ? "yes" : "no"));
    fields_text(&r, "monitoring",
                json_text(cJSON_GetObjectItemCaseSensitive(instance, "Monitoring"), "State"));
    fields_text(&r, "root_device", json_text(instance, "RootDeviceName"));
    fields_num(&r, "cores", UNIT_COUNT, json_num(cpu, "CoreCount"));
    fields_num(&r, "threads_per_core", UNIT_COUNT, json_num(cpu, "ThreadsPerCore"));
    rc = feed_record(f, &(struct record){ "instances", launched, r.at, r.n, line });
    const cJSON *mapping;
    cJSON_ArrayForEach(mapping, devices)
    {
        if (!rc)
            rc = read_device(f, id, mapping, line);
    }
    return rc;
}

/* A reservation, an instance, or (--query 'Reservations[*].Instances') a list of instances. */
static int read_reservation(struct feed *f, const cJSON *element, int64_t line, void *ctx)
{
    (void)ctx;
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(element, "Instances");
    if (cJSON_IsArray(element))
        list = element;
    if (!list)
        return read_instance(f, element, line);
    const cJSON *instance;
    int rc = 0;
    cJSON_ArrayForEach(instance, list)
    {
        if (!rc)
            rc = read_instance(f, instance, line);
    }
    return rc;
}

static int read_all(struct feed *f)
{
    return json_each_of_list(f, "Reservations", NULL, read_reservation, NULL);
}

int instances_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                   struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_all);
}
