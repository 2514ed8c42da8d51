/* cli/page/sha256.h - the hash of FIPS 180-4, by which a page names the scripts that may run in it.
 */
#ifndef CLI_PAGE_SHA256_H
#define CLI_PAGE_SHA256_H

#include <stddef.h>

enum { SHA256_BYTES = 32 };
void sha256_of(const void *bytes, size_t n, unsigned char out[SHA256_BYTES]);

#endif
