/* tests/fuzz/corpus_run.c - runs a fuzz target over files and folders named on the command line.
 *
 * Stands in for libFuzzer's main, so that the corpus runs in `make test`.  Prints how many inputs
 * ran; fails when there were none. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t n_inputs;

static int run_file(const char *path, size_t size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data = f ? malloc(size ? size : 1) : NULL; /* of just that size, for the sanitizer */
    int rc = -1;
    if (data && fread(data, 1, size, f) == size) {
        LLVMFuzzerTestOneInput(data, size);
        n_inputs++;
        rc = 0;
    } else {
        perror(path);
    }
    free(data);
    if (f)
        fclose(f);
    return rc;
}

static int run_path(const char *path);

static int run_dir(const char *path)
{
    struct dirent **names;
    int n = scandir(path, &names, NULL, alphasort);
    int rc = n < 0 ? -1 : 0;
    if (rc)
        perror(path);
    for (int i = 0; i < n; i++) {
        char child[4096];
        int len = snprintf(child, sizeof child, "%s/%s", path, names[i]->d_name);
        if (names[i]->d_name[0] != '.' &&
            (len < 0 || (size_t)len >= sizeof child || run_path(child)))
            rc = -1;
        free(names[i]);
    }
    if (n >= 0)
        free(names);
    return rc;
}

static int run_path(const char *path)
{
    struct stat st;
    if (stat(path, &st)) {
        perror(path);
        return -1;
    }
    return S_ISDIR(st.st_mode) ? run_dir(path) : run_file(path, (size_t)st.st_size);
}

int main(int argc, char **argv)
{
    int rc = 0;
    for (int i = 1; i < argc; i++)
        if (run_path(argv[i]))
            rc = 1;
    const char *name = strrchr(argv[0], '/');
    printf("%s: %zu inputs\n", name ? name + 1 : argv[0], n_inputs);
    return n_inputs ? rc : 1;
}
