/* data/fetch/ec2.c - see ec2.h.  Names of elements: the EC2 API reference, version 2016-11-15. */
#include "data/fetch/ec2.h"

#include "data/fetch/xml_json.h"

#include <string.h>

enum { PAGES_MAX = 10000, PAGE_BYTES_MAX = 64 * 1024 * 1024 };

/* Descriptions of all pages together; a region's volumes are some hundred bytes each. */
#define ALL_BYTES_MAX ((size_t)256 * 1024 * 1024)

#define NUMBER(xml, json)                                                                          \
    {                                                                                              \
        xml, json, XML_NUMBER                                                                      \
    }
#define TEXT(xml, json)                                                                            \
    {                                                                                              \
        xml, json, XML_TEXT                                                                        \
    }

static const struct xml_name volumes[] = {
    { "volumeSet", "Volumes", XML_LIST },
    { "attachmentSet", "Attachments", XML_LIST },
    { "tagSet", "Tags", XML_LIST },
    { "multiAttachEnabled", "MultiAttachEnabled", XML_YES_NO },
    TEXT("volumeId", "VolumeId"),
    TEXT("volumeType", "VolumeType"),
    TEXT("status", "State"),
    TEXT("availabilityZone", "AvailabilityZone"),
    TEXT("createTime", "CreateTime"),
    TEXT("snapshotId", "SnapshotId"),
    TEXT("instanceId", "InstanceId"),
    TEXT("device", "Device"),
    TEXT("attachTime", "AttachTime"),
    TEXT("key", "Key"),
    TEXT("value", "Value"),
    NUMBER("size", "Size"),
    NUMBER("iops", "Iops"),
    NUMBER("throughput", "Throughput"),
    NUMBER("ebsCardIndex", "EbsCardIndex"),
};

static const struct xml_name modifications[] = {
    { "volumeModificationSet", "VolumesModifications", XML_LIST },
    TEXT("volumeId", "VolumeId"),
    TEXT("modificationState", "ModificationState"),
    TEXT("originalVolumeType", "OriginalVolumeType"),
    TEXT("targetVolumeType", "TargetVolumeType"),
    TEXT("startTime", "StartTime"),
    TEXT("endTime", "EndTime"),
    NUMBER("originalSize", "OriginalSize"),
    NUMBER("originalIops", "OriginalIops"),
    NUMBER("originalThroughput", "OriginalThroughput"),
    NUMBER("targetSize", "TargetSize"),
    NUMBER("targetIops", "TargetIops"),
    NUMBER("targetThroughput", "TargetThroughput"),
    NUMBER("progress", "Progress"),
};

static const struct xml_name instances[] = {
    { "reservationSet", "Reservations", XML_LIST },
    { "instancesSet", "Instances", XML_LIST },
    { "tagSet", "Tags", XML_LIST },
    { "blockDeviceMapping", "BlockDeviceMappings", XML_LIST },
    { "ebs", "Ebs", XML_OBJECT },
    { "instanceState", "State", XML_OBJECT },
    { "placement", "Placement", XML_OBJECT },
    { "cpuOptions", "CpuOptions", XML_OBJECT },
    { "monitoring", "Monitoring", XML_OBJECT },
    { "ebsOptimized", "EbsOptimized", XML_YES_NO },
    TEXT("instanceId", "InstanceId"),
    TEXT("instanceType", "InstanceType"),
    TEXT("name", "Name"),
    TEXT("availabilityZone", "AvailabilityZone"),
    TEXT("state", "State"), /* of monitoring */
    TEXT("rootDeviceName", "RootDeviceName"),
    TEXT("launchTime", "LaunchTime"),
    TEXT("deviceName", "DeviceName"),
    TEXT("volumeId", "VolumeId"),
    TEXT("status", "Status"),
    TEXT("attachTime", "AttachTime"),
    TEXT("key", "Key"),
    TEXT("value", "Value"),
    NUMBER("coreCount", "CoreCount"),
    NUMBER("threadsPerCore", "ThreadsPerCore"),
    NUMBER("ebsCardIndex", "EbsCardIndex"),
};

static const struct xml_name instance_types[] = {
    { "instanceTypeSet", "InstanceTypes", XML_LIST },
    { "ebsCardSet", "EbsCards", XML_LIST },
    { "vCpuInfo", "VCpuInfo", XML_OBJECT },
    { "memoryInfo", "MemoryInfo", XML_OBJECT },
    { "ebsInfo", "EbsInfo", XML_OBJECT },
    { "ebsOptimizedInfo", "EbsOptimizedInfo", XML_OBJECT },
    TEXT("instanceType", "InstanceType"),
    TEXT("hypervisor", "Hypervisor"),
    TEXT("ebsOptimizedSupport", "EbsOptimizedSupport"),
    TEXT("nvmeSupport", "NvmeSupport"),
    TEXT("attachmentLimitType", "AttachmentLimitType"),
    NUMBER("defaultVCpus", "DefaultVCpus"),
    NUMBER("sizeInMiB", "SizeInMiB"),
    NUMBER("baselineBandwidthInMbps", "BaselineBandwidthInMbps"),
    NUMBER("baselineThroughputInMBps", "BaselineThroughputInMBps"),
    NUMBER("baselineIops", "BaselineIops"),
    NUMBER("maximumBandwidthInMbps", "MaximumBandwidthInMbps"),
    NUMBER("maximumThroughputInMBps", "MaximumThroughputInMBps"),
    NUMBER("maximumIops", "MaximumIops"),
    NUMBER("maximumEbsAttachments", "MaximumEbsAttachments"),
    NUMBER("maximumEbsCards", "MaximumEbsCards"),
    NUMBER("ebsCardIndex", "EbsCardIndex"),
};

#define NAMES(table, root)                                                                         \
    {                                                                                              \
        (table), sizeof(table) / sizeof *(table), (root)                                           \
    }

static const struct action {
    const char *format, *name, *permission, *list;
    int page; /* the most that MaxResults may be */
    struct xml_names names;
} actions[EC2_LIST_COUNT] = {
    [EC2_VOLUMES] = { "volumes", "DescribeVolumes", "ec2:DescribeVolumes", "{\"Volumes\":[]}", 500,
                      NAMES(volumes, "DescribeVolumesResponse") },
    [EC2_MODIFICATIONS] = { "modifications", "DescribeVolumesModifications",
                            "ec2:DescribeVolumesModifications", "{\"VolumesModifications\":[]}",
                            500, NAMES(modifications, "DescribeVolumesModificationsResponse") },
    [EC2_INSTANCES] = { "instances", "DescribeInstances", "ec2:DescribeInstances",
                        "{\"Reservations\":[]}", 1000,
                        NAMES(instances, "DescribeInstancesResponse") },
    [EC2_INSTANCE_TYPES] = { "instance_types", "DescribeInstanceTypes", "ec2:DescribeInstanceTypes",
                             "{\"InstanceTypes\":[]}", 100,
                             NAMES(instance_types, "DescribeInstanceTypesResponse") },
};

const char *ec2_format(enum ec2_list l)
{
    return actions[l].format;
}

const char *ec2_permission(enum ec2_list l)
{
    return actions[l].permission;
}

/* As a form wants it: letters, digits, "-._~", the rest %XX.  NULL when memory is out. */
static char *encode(struct span text, struct arena *a)
{
    static const char hex[] = "0123456789ABCDEF";
    char *out = arena_alloc(a, 3 * text.len + 1);
    size_t n = 0;
    for (size_t i = 0; out && i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '-' || c == '.' || c == '_' || c == '~';
        if (plain) {
            out[n++] = (char)c;
            continue;
        }
        out[n++] = '%';
        out[n++] = hex[c >> 4];
        out[n++] = hex[c & 15];
    }
    return out;
}

int ec2_page(enum ec2_list l, struct span xml, struct arena *a, struct span *out_json,
             struct span *out_token, struct err *e)
{
    int rc = xml_to_json(xml, &actions[l].names, a, out_json, out_token, e);
    return rc && rc != ERR_NOMEM ? err_prefix(e, "%s", actions[l].name) : rc;
}

static int ask_page(struct aws_client *c, const struct action *x, struct span token,
                    struct arena *a, struct span *out_xml, struct err *e)
{
    char *more = encode(token, a);
    char *body = more ? arena_printf(a, "Action=%s&MaxResults=%d%s%s&Version=2016-11-15", x->name,
                                     x->page, token.len ? "&NextToken=" : "", more)
                      : NULL;
    if (!body)
        return err_nomem(e);
    struct aws_request q = { .service = "ec2",
                             .permission = x->permission,
                             .content_type = "application/x-www-form-urlencoded; charset=utf-8",
                             .body = span_of(body),
                             .body_max = PAGE_BYTES_MAX };
    struct http_reply r;
    int rc = aws_call(c, &q, a, &r, e);
    if (!rc)
        *out_xml = (struct span){ r.body, r.n_bytes };
    return rc;
}

/* What the pages so far say, in one growing text. */
struct pages {
    char *text;
    size_t n, room;
};

static int add_page(struct pages *p, struct span json, struct arena *a, struct err *e)
{
    if (json.len > ALL_BYTES_MAX - p->n)
        return err_set(e, ERR_LIMIT, "more than %zu bytes of descriptions", ALL_BYTES_MAX);
    if (p->n + json.len + 2 > p->room) {
        size_t room = 2 * (p->n + json.len + 2);
        p->text = arena_grow(a, p->text, p->n, room, 1);
        if (!p->text)
            return err_nomem(e);
        p->room = room;
    }
    memcpy(p->text + p->n, json.ptr, json.len);
    p->n += json.len;
    p->text[p->n++] = '\n';
    return 0;
}

int ec2_describe(struct aws_client *c, enum ec2_list l, struct arena *a, struct span *out_json,
                 bool *empty, struct err *e)
{
    const struct action *x = &actions[l];
    struct pages pages = { 0 };
    struct arena page[2] = { { 0 } }; /* the last one has the token */
    struct span xml, json = { 0 }, token = { 0 };
    bool nothing = true;
    int rc = 0;
    for (int i = 0; !rc; i++) {
        struct span before = token;
        struct arena *here = &page[i % 2];
        arena_release(here);
        rc = ask_page(c, x, token, here, &xml, e);
        if (!rc)
            rc = ec2_page(l, xml, here, &json, &token, e);
        if (!rc)
            rc = add_page(&pages, json, a, e);
        nothing = nothing && !rc && span_is(json, x->list);
        if (rc || !token.len)
            break;
        if (span_eq(token, before) || i == PAGES_MAX)
            rc = err_set(e, ERR_PARSE, "%s: the pages do not end", x->name);
    }
    arena_release(&page[0]);
    arena_release(&page[1]);
    if (rc)
        return rc;
    *out_json = (struct span){ pages.text, pages.n };
    *empty = nothing;
    return 0;
}
