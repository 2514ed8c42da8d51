/* data/ingest/archive/pack_kind.c - see pack_kind.h.
 *
 * Magic numbers: RFC 1952 (gzip), the bzip2 manual, the .xz file format 1.0.4, RFC 8878
 * (Zstandard), PKWARE's APPNOTE.TXT 4.3 (zip).  A tar has none before POSIX: the checksum of its
 * first header tells it (POSIX.1-2017, pax, "ustar Interchange Format"). */
#include "data/ingest/archive/pack_kind.h"

#include <string.h>

#define MAGIC(kind, bytes)                                                                         \
    {                                                                                              \
        kind, bytes, sizeof(bytes) - 1                                                             \
    }
static const struct magic {
    enum pack_kind kind;
    const char *bytes;
    size_t len;
} magics[] = {
    MAGIC(PACK_GZIP, "\x1F\x8B\x08"),
    MAGIC(PACK_XZ, "\xFD"
                   "7zXZ\0"),
    MAGIC(PACK_ZSTD, "\x28\xB5\x2F\xFD"),
    MAGIC(PACK_ZIP, "PK\x03\x04"),
    MAGIC(PACK_ZIP, "PK\x05\x06"),           /* without members */
    MAGIC(PACK_ZIP, "PK\x07\x08PK\x03\x04"), /* one part of a split archive, written as one */
};

/* "BZh", the block size, then the magic number of a block or of the end. */
static bool is_bzip2(struct span head)
{
    return head.len >= 10 && memcmp(head.ptr, "BZh", 3) == 0 && head.ptr[3] >= '1' &&
           head.ptr[3] <= '9' &&
           (memcmp(head.ptr + 4, "1AY&SY", 6) == 0 ||
            memcmp(head.ptr + 4, "\x17\x72\x45\x38\x50\x90", 6) == 0);
}

/* The checksum counts its own eight bytes as blanks; old tars summed signed characters. */
static bool is_tar(struct span head)
{
    enum { SUM_AT = 148, SUM_LEN = 8, SUM_OF_BLANKS = SUM_LEN * ' ' };
    if (head.len < PACK_HEAD || head.ptr[0] == '\0')
        return false;
    struct span digits = span_trim((struct span){ head.ptr + SUM_AT, SUM_LEN });
    int64_t want = 0;
    for (size_t i = 0; i < digits.len; i++) {
        if (digits.ptr[i] < '0' || digits.ptr[i] > '7')
            return false;
        want = want * 8 + (digits.ptr[i] - '0');
    }
    int64_t sum = SUM_OF_BLANKS, signed_sum = SUM_OF_BLANKS;
    for (size_t i = 0; i < PACK_HEAD; i++) {
        if (i >= SUM_AT && i < SUM_AT + SUM_LEN)
            continue;
        sum += (unsigned char)head.ptr[i];
        signed_sum += (signed char)head.ptr[i];
    }
    return digits.len && (want == sum || want == signed_sum);
}

enum pack_kind pack_kind_of(struct span head)
{
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (head.len >= magics[i].len && memcmp(head.ptr, magics[i].bytes, magics[i].len) == 0)
            return magics[i].kind;
    return is_bzip2(head) ? PACK_BZIP2 : is_tar(head) ? PACK_TAR : PACK_NONE;
}

const char *pack_kind_name(enum pack_kind k)
{
    static const char *const names[] = {
        [PACK_NONE] = "plain file", [PACK_GZIP] = "gzip data", [PACK_BZIP2] = "bzip2 data",
        [PACK_XZ] = "xz data",      [PACK_ZSTD] = "zstd data", [PACK_ZIP] = "zip archive",
        [PACK_TAR] = "tar archive",
    };
    return names[k];
}

bool pack_has_members(enum pack_kind k)
{
    return k == PACK_ZIP || k == PACK_TAR;
}
