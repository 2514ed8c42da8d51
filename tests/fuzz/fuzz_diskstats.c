/* tests/fuzz/fuzz_diskstats.c - any bytes as readings of /proc/diskstats. */
#include "tests/fuzz/fuzz_os.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = { "diskstats" };
    return read_as_each(names, sizeof names / sizeof *names, data, size);
}
