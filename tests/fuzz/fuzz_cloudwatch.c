/* tests/fuzz/fuzz_cloudwatch.c - any bytes as CloudWatch's answers and streams. */
#include "tests/fuzz/fuzz_formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = { "cw_stats", "cw_data", "cw_stream" };
    return read_as_each(names, sizeof names / sizeof *names, data, size);
}
