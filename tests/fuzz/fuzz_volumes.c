/* tests/fuzz/fuzz_volumes.c - any bytes as what describe-... prints. */
#include "tests/fuzz/fuzz_formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = { "volumes", "modifications", "instances",
                                         "instance_types" };
    return read_as_each(names, sizeof names / sizeof *names, data, size);
}
