/* cli/render/output.c - see output.h. */
#include "cli/render/output.h"

#include <errno.h>
#include <string.h>

int output_failed(struct err *e, int write_errno)
{
    if (write_errno == EPIPE)
        return err_set(e, ERR_PIPE, "%s", "");
    return err_set(e, ERR_IO, "output cannot be written: %s", strerror(write_errno));
}
