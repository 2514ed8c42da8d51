/* models/facts/gen_facts.c - build time: reads the CSV files of a directory with facts_parse and
 * prints the C source of builtin_catalogue.
 *
 *   gen_facts DIRECTORY >builtin.c
 *
 * Fields are printed by the same column tables that read them. */
#include "models/core/unit.h"
#include "models/facts/catalogue.h"
#include "models/facts/facts_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A whole file; exits on any trouble: a build that goes on would be wrong. */
static struct span file_read(struct arena *a, const char *directory, const char *name)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path) {
        fprintf(stderr, "gen_facts: path too long: %s\n", directory);
        exit(3);
    }
    FILE *f = fopen(path, "rb");
    long size = -1;
    if (f && fseek(f, 0, SEEK_END) == 0)
        size = ftell(f);
    char *bytes = size < 0 ? NULL : arena_alloc(a, (size_t)size);
    if (!bytes || fseek(f, 0, SEEK_SET) || fread(bytes, 1, (size_t)size, f) != (size_t)size) {
        perror(path);
        exit(3);
    }
    fclose(f);
    return (struct span){ bytes, (size_t)size };
}

static void print_text(const char *s)
{
    if (!s) {
        printf("NULL");
        return;
    }
    putchar('"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\' || *s == '?')
            putchar('\\');
        putchar(*s);
    }
    putchar('"');
}

static void print_int(int64_t v)
{
    if (v == UNKNOWN)
        printf("UNKNOWN");
    else
        printf("INT64_C(%lld)", (long long)v);
}

/* 17 digits bring every double back. */
static void print_double(double v)
{
    if (isnan(v))
        printf("NAN");
    else
        printf("%.17g", v);
}

static void print_field(const struct facts_col *c, const void *row)
{
    const char *at = (const char *)row + c->offset;
    const char *text;
    int64_t integer;
    double real;
    int number;
    bool flag;
    printf("  .%s = ", c->field);
    switch (c->kind) {
    case FACTS_TEXT:
        memcpy(&text, at, sizeof text);
        print_text(text);
        break;
    case FACTS_RATE:
        memcpy(&real, at, sizeof real);
        print_double(real);
        break;
    case FACTS_BOOL:
        memcpy(&flag, at, sizeof flag);
        printf("%d", flag);
        break;
    case FACTS_YES_NO:
    case FACTS_VOLUME_TYPE:
    case FACTS_CONDITION:
    case FACTS_COMPONENT:
        memcpy(&number, at, sizeof number);
        printf("%d", number);
        break;
    case FACTS_CORNERS: {
        const struct vol_rule *r = row;
        printf("{");
        for (size_t i = 0; i < VOL_CORNERS_MAX; i++) {
            printf("{");
            print_double(r->mibps_by_iops[i].x);
            printf(",");
            print_double(r->mibps_by_iops[i].mibps);
            printf("},");
        }
        printf("},\n  .n_mibps_by_iops = %zu,\n  .since_ms = {", r->n_mibps_by_iops);
        for (size_t i = 0; i < FIGURE_COUNT; i++) {
            print_int(r->since_ms[i]);
            printf(",");
        }
        printf("}");
        break;
    }
    default:
        memcpy(&integer, at, sizeof integer);
        print_int(integer);
        break;
    }
    printf(",\n");
}

static void print_rows(const char *name, const struct facts_table *t, const void *rows, size_t n)
{
    printf("static const %s %s[] = {\n", t->c_type, name);
    for (size_t i = 0; i < n; i++) {
        printf(" {\n");
        for (size_t k = 0; k < t->n_cols; k++)
            print_field(&t->cols[k], (const char *)rows + i * t->row_bytes);
        printf(" },\n");
    }
    printf("};\n\n");
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: gen_facts DIRECTORY >builtin.c\n");
        return 2;
    }
    struct arena a = { 0 };
    struct span files[FACTS_FILE_COUNT];
    for (int i = 0; i < FACTS_FILE_COUNT; i++)
        files[i] = file_read(&a, argv[1], facts_file_names[i]);

    struct catalogue c;
    struct err e;
    if (facts_parse(files, NULL, &a, &c, &e)) {
        fprintf(stderr, "%s/%s\n", argv[1], e.text);
        return 3;
    }
    printf("/* Made from %s by gen_facts; do not edit. */\n"
           "#include \"models/core/unit.h\"\n#include \"models/facts/catalogue.h\"\n\n",
           argv[1]);
    print_rows("rules", &facts_tables[FACTS_VOLUME_RULES], c.rules, c.n_rules);
    print_rows("prices", &facts_tables[FACTS_PRICES], c.prices, c.n_prices);
    print_rows("instances", &facts_tables[FACTS_INSTANCES], c.instances, c.n_instances);
    print_rows("weightings", &facts_tables[FACTS_WEIGHTING], c.weightings, c.n_weightings);
    print_rows("bx_families", &facts_tables[FACTS_BX_FAMILIES], c.bx_families, c.n_bx_families);
    print_rows("quotas", &facts_tables[FACTS_REGION_QUOTAS], c.quotas, c.n_quotas);
    print_rows("services", &facts_tables[FACTS_SERVICE_PRICES], c.services, c.n_services);
    print_rows("usage_types", &facts_tables[FACTS_USAGE_TYPES], c.usage_types, c.n_usage_types);
    print_rows("codes", &facts_tables[FACTS_BILLING_CODES], c.billing_codes, c.n_billing_codes);
    printf("const struct catalogue builtin_catalogue = {\n"
           "  .rules = rules, .n_rules = %zu,\n  .prices = prices, .n_prices = %zu,\n"
           "  .instances = instances, .n_instances = %zu,\n"
           "  .weightings = weightings, .n_weightings = %zu,\n"
           "  .bx_families = bx_families, .n_bx_families = %zu,\n"
           "  .quotas = quotas, .n_quotas = %zu,\n  .services = services, .n_services = %zu,\n"
           "  .usage_types = usage_types, .n_usage_types = %zu,\n"
           "  .billing_codes = codes, .n_billing_codes = %zu,\n  .instances_as_of_ms = ",
           c.n_rules, c.n_prices, c.n_instances, c.n_weightings, c.n_bx_families, c.n_quotas,
           c.n_services, c.n_usage_types, c.n_billing_codes);
    print_int(c.instances_as_of_ms);
    printf(",\n};\n");

    arena_release(&a);
    return fflush(stdout) || ferror(stdout) ? 5 : 0;
}
