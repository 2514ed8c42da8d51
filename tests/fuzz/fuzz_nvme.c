/* tests/fuzz/fuzz_nvme.c - any bytes as statistics of NVMe volumes. */
#include "tests/fuzz/fuzz_os.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = { "nvme" };
    return read_as_each(names, sizeof names / sizeof *names, data, size);
}
