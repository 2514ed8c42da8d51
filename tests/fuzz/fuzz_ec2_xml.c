/* tests/fuzz/fuzz_ec2_xml.c - any bytes as a reply of EC2, and what comes of it through the parsers
 * of the CLI's JSON. */
#include "data/fetch/ec2.h"
#include "tests/fuzz/fuzz_formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool ready;
    if (!ready)
        layout_init();
    ready = true;
    for (int l = 0; l < EC2_LIST_COUNT; l++) {
        struct arena a = { 0 };
        struct err e = { 0 };
        struct span json, token;
        int rc = ec2_page((enum ec2_list)l, (struct span){ (const char *)data, size }, &a, &json,
                          &token, &e);
        bool refused = rc == ERR_PARSE || rc == ERR_LIMIT || rc == ERR_NET_FINAL /* no EC2 */;
        demand(rc == 0 || (refused && e.code == rc && *e.text));
        if (!rc) {
            demand(json.len >= 2 && json.ptr[0] == '{');
            const char *const name[] = { ec2_format((enum ec2_list)l) };
            read_as_each(name, 1, (const uint8_t *)json.ptr, json.len);
        }
        arena_release(&a);
    }
    return 0;
}
