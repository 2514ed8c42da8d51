/* data/ingest/volumes/instance_types.c - describe-instance-types: what an instance carries to EBS.
 *
 * Throughput here is decimal MB/s (the bandwidth in Mbit/s divided by 8), unlike a volume's MiB/s.
 * EbsOptimizedInfo is missing in old recordings and for types without it: then unknown. */
#include "data/ingest/json/json_doc.h"
#include "data/ingest/volumes/volumes.h"

int instance_types_detect(struct span head)
{
    if (json_head_has(head, "InstanceTypes"))
        return 95;
    return json_head_is_array(head) && json_head_has(head, "EbsInfo") ? 85 : 0;
}

static const struct limit {
    const char *json, *key;
    enum unit unit;
} limits[] = {
    { "BaselineBandwidthInMbps", "baseline_bandwidth_mbps", UNIT_MBPS },
    { "BaselineThroughputInMBps", "baseline_throughput_mb_s", UNIT_MB_S },
    { "BaselineIops", "baseline_iops", UNIT_IOPS },
    { "MaximumBandwidthInMbps", "maximum_bandwidth_mbps", UNIT_MBPS },
    { "MaximumThroughputInMBps", "maximum_throughput_mb_s", UNIT_MB_S },
    { "MaximumIops", "maximum_iops", UNIT_IOPS },
};

static void add_limits(struct fields *r, const cJSON *info)
{
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        fields_num(r, limits[i].key, limits[i].unit, json_num(info, limits[i].json));
}

static int read_cards(struct feed *f, struct span type, const cJSON *cards, int64_t line)
{
    int rc = 0;
    const cJSON *card;
    if (cJSON_GetArraySize(cards) < 2)
        return 0;
    cJSON_ArrayForEach(card, cards)
    {
        struct fields r = { .n = 0 };
        fields_text(&r, "instance_type", type);
        fields_num(&r, "ebs_card", UNIT_COUNT, json_num(card, "EbsCardIndex"));
        add_limits(&r, card);
        if (!rc)
            rc = feed_record(f, &(struct record){ "ebs_cards", UNKNOWN, r.at, r.n, line });
    }
    return rc;
}

static int read_type(struct feed *f, const cJSON *t, int64_t line, void *ctx)
{
    (void)ctx;
    struct span type = json_text(t, "InstanceType");
    const cJSON *ebs = cJSON_GetObjectItemCaseSensitive(t, "EbsInfo");
    if (!type.len)
        return feed_fault(f, line, "an instance type without InstanceType");
    struct fields r = { .n = 0 };
    fields_text(&r, "instance_type", type);
    fields_num(&r, "vcpus", UNIT_COUNT,
               json_num(cJSON_GetObjectItemCaseSensitive(t, "VCpuInfo"), "DefaultVCpus"));
    fields_num(&r, "memory_mib", UNIT_MIB,
               json_num(cJSON_GetObjectItemCaseSensitive(t, "MemoryInfo"), "SizeInMiB"));
    fields_text(&r, "hypervisor", json_text(t, "Hypervisor"));
    fields_text(&r, "ebs_optimized_support", json_text(ebs, "EbsOptimizedSupport"));
    fields_text(&r, "nvme_support", json_text(ebs, "NvmeSupport"));
    add_limits(&r, cJSON_GetObjectItemCaseSensitive(ebs, "EbsOptimizedInfo"));
    fields_num(&r, "maximum_ebs_attachments", UNIT_COUNT, json_num(ebs, "MaximumEbsAttachments"));
    fields_text(&r, "attachment_limit_type", json_text(ebs, "AttachmentLimitType"));
    fields_num(&r, "maximum_ebs_cards", UNIT_COUNT, json_num(ebs, "MaximumEbsCards"));
    int rc = feed_record(f, &(struct record){ "instance_types", UNKNOWN, r.at, r.n, line });
    return rc ? rc : read_cards(f, type, cJSON_GetObjectItemCaseSensitive(ebs, "EbsCards"), line);
}

static int read_all(struct feed *f)
{
    return json_each_of_list(f, "InstanceTypes", NULL, read_type, NULL);
}

int instance_types_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                        struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_all);
}
