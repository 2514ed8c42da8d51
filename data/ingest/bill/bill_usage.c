/* data/ingest/bill/bill_usage.c - see bill_usage.h. */
#include "data/ingest/bill/bill_usage.h"

/* Offset of "EBS:" where a usage type has it: at its start or behind the region; or -1. */
static ptrdiff_t ebs_at(struct span usage_type)
{
    ptrdiff_t at = span_find(usage_type, "EBS:");
    return at > 0 && usage_type.ptr[at - 1] != '-' ? -1 : at;
}

bool bill_usage_is_ebs(struct span usage_type)
{
    return ebs_at(usage_type) >= 0;
}

static struct span without_region(struct span usage_type)
{
    ptrdiff_t at = ebs_at(usage_type);
    if (at < 0)
        return (struct span){ 0 };
    return span_cut(usage_type, (size_t)at, usage_type.len);
}

bool bill_usage_is_volume_storage(struct span usage_type)
{
    return span_starts(without_region(usage_type), "EBS:VolumeUsage");
}

bool bill_usage_is_volume(struct span usage_type)
{
    return span_starts(without_region(usage_type), "EBS:Volume");
}

/* Phrases of the price list's descriptions.  The first that is found decides, so the longer ones
 * come first.  Source: descriptions of AmazonEC2 price list rows, product families Storage, System
 * Operation, Provisioned Throughput and Storage Snapshot. */
static const struct phrase {
    const char *text, *usage_type;
} phrases[] = {
    { "(gp3) provisioned storage", "EBS:VolumeUsage.gp3" },
    { "(gp2) provisioned storage", "EBS:VolumeUsage.gp2" },
    { "(io2) provisioned storage", "EBS:VolumeUsage.io2" },
    { "(io1) provisioned storage", "EBS:VolumeUsage.piops" },
    { "(st1) provisioned storage", "EBS:VolumeUsage.st1" },
    { "(sc1) provisioned storage", "EBS:VolumeUsage.sc1" },
    { "Magnetic provisioned storage", "EBS:VolumeUsage" },
    { "provisioned IOPS-month of gp3", "EBS:VolumeP-IOPS.gp3" },
    { "provisioned MiBps-month of gp3", "EBS:VolumeP-Throughput.gp3" },
    { "provisioned GiBps-month of gp3", "EBS:VolumeP-Throughput.gp3" },
    { "snapshot data stored", "EBS:SnapshotUsage" },
};

struct span bill_usage_from_description(struct span description)
{
    ptrdiff_t at = span_find(description, "EBS:");
    if (at >= 0) {
        struct span rest = span_cut(description, (size_t)at, description.len), word;
        return span_word(&rest, &word) == 0 ? word : (struct span){ 0 };
    }
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        if (span_find(description, phrases[i].text) >= 0)
            return span_of(phrases[i].usage_type);
    return (struct span){ 0 };
}
