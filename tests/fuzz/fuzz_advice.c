/* tests/fuzz/fuzz_advice.c - any bytes as an adviser's answer. */
#include "tests/fuzz/fuzz_formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = { "optimizer" };
    return read_as_each(names, sizeof names / sizeof *names, data, size);
}
