/* data/ingest/volumes/volume_keys.c - see volume_keys.h. */
#include "data/ingest/volumes/volume_keys.h"

#include <string.h>

/* Lower case, letters and digits only. */
static const struct word {
    const char *text;
    enum volume_key key;
} words[] = {
    { "volumeid", KEY_VOLUME_ID },
    { "id", KEY_VOLUME_ID },
    { "volume", KEY_VOLUME_ID },
    { "volid", KEY_VOLUME_ID },
    { "volumetype", KEY_TYPE },
    { "type", KEY_TYPE },
    { "size", KEY_SIZE },
    { "sizegib", KEY_SIZE },
    { "sizegb", KEY_SIZE }, /* the API has GiB only */
    { "sizeingib", KEY_SIZE },
    { "volumesize", KEY_SIZE },
    { "iops", KEY_IOPS },
    { "throughput", KEY_THROUGHPUT },
    { "throughputmibps", KEY_THROUGHPUT },
    { "state", KEY_STATE },
    { "az", KEY_ZONE },
    { "availabilityzone", KEY_ZONE },
    { "zone", KEY_ZONE },
    { "instanceid", KEY_INSTANCE },
    { "instance", KEY_INSTANCE },
    { "device", KEY_DEVICE },
    { "devicename", KEY_DEVICE },
    { "name", KEY_NAME },
    { "tag", KEY_TAGS },
    { "tags", KEY_TAGS },
    { "createtime", KEY_CREATED },
    { "created", KEY_CREATED },
    { "snapshotid", KEY_SNAPSHOT },
    { "snapshot", KEY_SNAPSHOT },
};

enum volume_key volume_key_of(struct span word)
{
    char plain[24];
    size_t n = 0;
    for (size_t i = 0; i < word.len; i++) {
        char c = word.ptr[i];
        if (c == '_' || c == '-' || c == ' ')
            continue;
        if (n == sizeof plain)
            return VOLUME_KEY_COUNT;
        plain[n++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (span_is((struct span){ plain, n }, words[i].text))
            return words[i].key;
    return VOLUME_KEY_COUNT;
}
