/* tests/fuzz/fuzz_nmon.c - any bytes as a file of nmon. */
#include "tests/fuzz/fuzz_os.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = { "nmon" };
    return read_as_each(names, sizeof names / sizeof *names, data, size);
}
