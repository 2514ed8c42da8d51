/* cli/page/gen_page.c - build time: puts the page's files into its template and prints the C source
 * of page_pieces.
 *
 *   gen_page TEMPLATE FOLDER... >page_pieces.c
 *
 * In the template {{file NAME}} becomes the file of that name in the first FOLDER that has it; the
 * other slots of page.h stay slots, filled when a page is written.  A script that would end its
 * element, or a style that would, is refused; names of source maps are left out, for a page
 * loads nothing. */
#include "cli/page/page_pieces.h"
#include "models/core/arena.h"
#include "models/core/span.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

_Noreturn static void fail(const char *name, const char *what)
{
    fprintf(stderr, "gen_page: %s: %s\n", name, what);
    exit(3);
}

/* --- reading -----------------------------------------------------------------------------------
 */

static struct span read_all(struct arena *a, FILE *f, const char *path)
{
    long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    char *bytes = size < 0 ? NULL : arena_alloc(a, (size_t)size + 1);
    if (!bytes || fseek(f, 0, SEEK_SET) || fread(bytes, 1, (size_t)size, f) != (size_t)size)
        fail(path, "cannot be read");
    fclose(f);
    return (struct span){ bytes, (size_t)size };
}

static struct span find_file(struct arena *a, const char *name, char **folders)
{
    for (; *folders; folders++) {
        char *path = arena_printf(a, "%s/%s", *folders, name);
        FILE *f = path ? fopen(path, "rb") : NULL;
        if (f)
            return read_all(a, f, path);
    }
    fail(name, "is in no folder of the page (Debian: apt-get install libjs-dygraphs)");
}

static bool holds(struct span text, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= text.len; i++)
        if (strncasecmp(text.ptr + i, word, n) == 0)
            return true;
    return false;
}

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

static void check(const char *name, struct span text)
{
    if (ends_with(name, ".js") && (holds(text, "</script") || holds(text, "<!--")))
        fail(name, "would end its script element");
    if (ends_with(name, ".css") && holds(text, "</style"))
        fail(name, "would end its style element");
}

/* --- printing ----------------------------------------------------------------------------------
 */

static void print_bytes(struct span text)
{
    enum { LINE = 100 };
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (i % LINE == 0)
            printf("%s\"", i ? "\"\n" : "");
        if (c < 0x20 || c > 0x7e || c == '"' || c == '\\' || c == '?')
            printf("\\%03o", c);
        else
            putchar(c);
    }
    printf("\"");
}

static void print_text(struct span text)
{
    if (!text.len)
        return;
    printf("{ PAGE_TEXT, %zu,\n", text.len);
    print_bytes(text);
    printf(" },\n");
}

static void print_file(const char *name, struct span text)
{
    ptrdiff_t map = span_find(text, "# sourceMappingURL=");
    check(name, text);
    if (map >= 2) /* the comment that names it is the last of the file */
        text.len = (size_t)map - 2;
    print_text(text);
}

static void print_slot(struct arena *a, struct span slot, char **folders)
{
    static const char *const names[] = {
#define X(id, name) [id] = name,
        PAGE_SLOT_TABLE(X)
#undef X
    };
    char *name = arena_strndup(a, slot.ptr, slot.len);
    if (name && strncmp(name, "file ", 5) == 0) {
        print_file(name + 5, find_file(a, name + 5, folders));
        return;
    }
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (names[i] && strcmp(name, names[i]) == 0) {
            printf("{ %zu, 0, \"\" },\n", i);
            return;
        }
    fail(name ? name : "slot", "is no slot of the page");
}

int main(int argc, char **argv)
{
    struct arena a = { 0 };
    if (argc < 3)
        fail("usage", "gen_page TEMPLATE FOLDER...");
    FILE *f = fopen(argv[1], "rb");
    if (!f)
        fail(argv[1], "cannot be read");
    struct span rest = read_all(&a, f, argv[1]);
    printf("#include \"cli/page/page_pieces.h\"\n"
           "const struct page_piece page_pieces[] = {\n");
    for (ptrdiff_t at; (at = span_find(rest, "{{")) >= 0;) {
        struct span slot = { rest.ptr + at + 2, rest.len - (size_t)at - 2 };
        ptrdiff_t end = span_find(slot, "}}");
        if (end < 0)
            fail(argv[1], "a slot without an end");
        print_text((struct span){ rest.ptr, (size_t)at });
        rest = (struct span){ slot.ptr + end + 2, slot.len - (size_t)end - 2 };
        slot.len = (size_t)end;
        print_slot(&a, slot, argv + 2);
    }
    print_text(rest);
    printf("};\nconst size_t page_piece_count = sizeof page_pieces / sizeof *page_pieces;\n");
    arena_release(&a);
    return fflush(stdout) == 0 ? 0 : 3;
}
