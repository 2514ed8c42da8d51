/* cli/page/gen_page.c - build time: puts the page's files into its template and prints the C source
 * of page_pieces.
 *
 *   gen_page TEMPLATE FOLDER... >page_pieces.c
 *
 * In the template {{file NAME}} becomes the file of that name in the first FOLDER that has it, and
 * {{scripts}} the hashes of the page's scripts ("'sha256-...' ..."), so that its policy lets these
 * run and nothing else.  The other slots of page_pieces.h stay slots, filled when a page is
 * written.  A script that would end its element, or a style that would, is refused; names of source
 * maps are left out, for a page loads nothing. */
#include "cli/page/page_pieces.h"
#include "cli/page/sha256.h"
#include "models/core/arena.h"
#include "models/core/base64.h"
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
    printf("{ PAGE_TEXT, %zu,\n", text.len);
    print_bytes(text);
    printf(" },\n");
}

/* --- the template ------------------------------------------------------------------------------
 */

/* A stretch of text, or a slot; scripts: to be replaced by their hashes. */
struct part {
    enum page_slot slot;
    bool scripts;
    struct span text;
};

struct parts {
    struct arena *arena;
    char **folders;
    struct part *at;
    size_t n, room;
};

static void add_part(struct parts *p, struct part part)
{
    if (p->n == p->room) {
        p->room = p->room ? 2 * p->room : 64;
        p->at = arena_grow(p->arena, p->at, p->n, p->room, sizeof *p->at);
        if (!p->at)
            fail("page", "out of memory");
    }
    p->at[p->n++] = part;
}

static void add_text(struct parts *p, struct span text)
{
    if (text.len)
        add_part(p, (struct part){ .text = text });
}

static void add_file(struct parts *p, const char *name)
{
    struct span text = find_file(p->arena, name, p->folders);
    ptrdiff_t map = span_find(text, "# sourceMappingURL=");
    check(name, text);
    if (map >= 2) /* the comment that names it is the last of the file */
        text.len = (size_t)map - 2;
    add_text(p, text);
}

static void add_slot(struct parts *p, struct span slot)
{
    static const char *const names[] = {
#define X(id, name) [id] = (name),
        PAGE_SLOT_TABLE(X)
#undef X
    };
    char *name = arena_strndup(p->arena, slot.ptr, slot.len);
    if (name && strncmp(name, "file ", 5) == 0) {
        add_file(p, name + 5);
        return;
    }
    if (name && strcmp(name, "scripts") == 0) {
        add_part(p, (struct part){ .scripts = true });
        return;
    }
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (names[i] && strcmp(name, names[i]) == 0) {
            add_part(p, (struct part){ .slot = (enum page_slot)i });
            return;
        }
    fail(name ? name : "slot", "is no slot of the page");
}

static void read_template(struct parts *p, const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        fail(path, "cannot be read");
    struct span rest = read_all(p->arena, f, path);
    for (ptrdiff_t at; (at = span_find(rest, "{{")) >= 0;) {
        struct span slot = { rest.ptr + at + 2, rest.len - (size_t)at - 2 };
        ptrdiff_t end = span_find(slot, "}}");
        if (end < 0)
            fail(path, "a slot without an end");
        add_text(p, (struct span){ rest.ptr, (size_t)at });
        rest = (struct span){ slot.ptr + end + 2, slot.len - (size_t)end - 2 };
        slot.len = (size_t)end;
        add_slot(p, slot);
    }
    add_text(p, rest);
}

/* --- scripts -----------------------------------------------------------------------------------
 */

/* All parts as one text, with a NUL for each slot: no script has one. */
static struct span joined(const struct parts *p)
{
    size_t len = 0;
    for (size_t i = 0; i < p->n; i++)
        len += p->at[i].text.ptr ? p->at[i].text.len : 1;
    char *all = arena_alloc(p->arena, len + 1), *at = all;
    if (!all)
        fail("page", "out of memory");
    for (size_t i = 0; i < p->n; i++) {
        const struct span *t = &p->at[i].text;
        if (t->ptr)
            memcpy(at, t->ptr, t->len);
        at += t->ptr ? t->len : 1;
    }
    return (struct span){ all, len };
}

/* "'sha256-...' 'sha256-...'" of what stands between <script> and </script>. */
static struct span hashes_of(const struct parts *p)
{
    static const char begin[] = "<script>", end[] = "</script>";
    const char *hashes = "";
    struct span rest = joined(p);
    for (ptrdiff_t at; (at = span_find(rest, begin)) >= 0;) {
        unsigned char hash[SHA256_BYTES];
        struct span script = { rest.ptr + at + sizeof begin - 1,
                               rest.len - (size_t)at - (sizeof begin - 1) };
        ptrdiff_t len = span_find(script, end);
        if (len < 0 || memchr(script.ptr, '\0', (size_t)len))
            fail("page", "a script has no end, or a slot in it");
        sha256_of(script.ptr, (size_t)len, hash);
        char *text = base64_encode(hash, sizeof hash, p->arena);
        hashes = text ? arena_printf(p->arena, "%s%s'sha256-%s'", hashes, *hashes ? " " : "", text)
                      : NULL;
        if (!hashes)
            fail("page", "out of memory");
        rest = (struct span){ script.ptr + len, script.len - (size_t)len };
    }
    return span_of(*hashes ? hashes : "'none'");
}

int main(int argc, char **argv)
{
    struct arena a = { 0 };
    if (argc < 3)
        fail("usage", "gen_page TEMPLATE FOLDER...");
    struct parts p = { .arena = &a, .folders = argv + 2 };
    read_template(&p, argv[1]);
    struct span hashes = hashes_of(&p);
    printf("#include \"cli/page/page_pieces.h\"\n"
           "const struct page_piece page_pieces[] = {\n");
    for (size_t i = 0; i < p.n; i++)
        if (p.at[i].scripts)
            print_text(hashes);
        else if (p.at[i].text.ptr)
            print_text(p.at[i].text);
        else
            printf("{ %d, 0, \"\" },\n", (int)p.at[i].slot);
    printf("};\nconst size_t page_piece_count = sizeof page_pieces / sizeof *page_pieces;\n");
    arena_release(&a);
    return fflush(stdout) == 0 ? 0 : 3;
}
