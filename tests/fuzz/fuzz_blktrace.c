/* tests/fuzz/fuzz_blktrace.c - any bytes as a trace of blkparse or strace. */
#include "tests/fuzz/fuzz_os.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = { "blkparse", "strace" };
    return read_as_each(names, sizeof names / sizeof *names, data, size);
}
