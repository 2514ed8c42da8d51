/* tests/fuzz/fuzz_lsblk.c - any bytes as a form of lsblk. */
#include "tests/fuzz/fuzz_os.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = { "lsblk" };
    return read_as_each(names, sizeof names / sizeof *names, data, size);
}
