/* tests/fuzz/fuzz_unixstat.c - any bytes as iostat of AIX and Solaris: the reader tells them from
 * the rest itself. */
#include "tests/fuzz/fuzz_os.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = { "iostat" };
    return read_as_each(names, sizeof names / sizeof *names, data, size);
}
