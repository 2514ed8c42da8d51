/* tests/fuzz/fuzz_oswatcher.c - any bytes as an archive of OSWatcher or ExaWatcher. */
#include "tests/fuzz/fuzz_os.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = { "oswatcher" };
    return read_as_each(names, sizeof names / sizeof *names, data, size);
}
