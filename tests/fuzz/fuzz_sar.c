/* tests/fuzz/fuzz_sar.c - any bytes as what sar and sadf print. */
#include "tests/fuzz/fuzz_os.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = { "sar", "sadf" };
    return read_as_each(names, sizeof names / sizeof *names, data, size);
}
