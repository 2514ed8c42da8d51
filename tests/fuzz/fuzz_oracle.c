/* tests/fuzz/fuzz_oracle.c - any bytes as each of the extracts of Oracle: AWR-Miner, and spooled
 * CSV. */
#include "tests/fuzz/fuzz_formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = { "awr_miner", "dma_csv", "esp_csv", "volplan_csv",
                                         "perfsheet" };
    return read_as_each(names, sizeof names / sizeof *names, data, size);
}
