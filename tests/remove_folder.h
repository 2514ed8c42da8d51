/* tests/remove_folder.h - removes a folder that a test made, with all that is in it. */
#ifndef TESTS_REMOVE_FOLDER_H
#define TESTS_REMOVE_FOLDER_H

#include <stdio.h>
#include <stdlib.h>

/* 0 when it is gone. */
static inline int remove_folder(const char *path)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    return system(command);
}

#endif
