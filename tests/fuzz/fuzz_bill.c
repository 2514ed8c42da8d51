/* tests/fuzz/fuzz_bill.c - any bytes as a bill. */
#include "tests/fuzz/fuzz_formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = { "cur", "cur2", "focus", "cost_explorer" };
    return read_as_each(names, sizeof names / sizeof *names, data, size);
}
