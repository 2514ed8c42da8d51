/* tests/fuzz/fuzz_asm.c - any bytes as what ASM says of its disks. */
#include "tests/fuzz/fuzz_os.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = { "asm_lsdg", "asm_iostat", "asm_disks" };
    return read_as_each(names, sizeof names / sizeof *names, data, size);
}
