/* planner/report/pack.c - see pack.h. */
#include "planner/report/pack.h"

#include "models/core/base64.h"

#include <string.h>

static void put_le(unsigned char *to, uint64_t bits, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++)
        to[i] = (unsigned char)(bits >> (8 * i));
}

struct packing {
    const char *type;
    bool scaled;
    int64_t base, scale;
};

static void emit_packed(struct emit *m, const char *key, const unsigned char *bytes, size_t n_bytes,
                        size_t n, const struct packing *p, struct arena *scratch)
{
    const char *text = bytes ? base64_encode(bytes, n_bytes, scratch) : NULL;
    if (!text && !m->failed)
        m->failed = ERR_NOMEM;
    emit_begin(m, key, EMIT_OBJECT);
    emit_text(m, "type", p->type);
    emit_int(m, "n", UNIT_COUNT, (int64_t)n);
    if (p->scaled) {
        emit_int(m, "base", UNIT_MS, p->base);
        emit_int(m, "scale", UNIT_MS, p->scale);
    }
    emit_text(m, "b64", text);
    emit_end(m);
}

void emit_pack_f32(struct emit *m, const char *key, const double *v, size_t n,
                   struct arena *scratch)
{
    unsigned char *bytes = arena_array(scratch, n + 1, 4);
    for (size_t i = 0; i < n && bytes; i++) {
        float f = (float)v[i];
        uint32_t bits;
        memcpy(&bits, &f, sizeof bits);
        put_le(bytes + 4 * i, bits, 4);
    }
    emit_packed(m, key, bytes, 4 * n, n, &(struct packing){ .type = "f32" }, scratch);
}

void emit_pack_u8(struct emit *m, const char *key, const unsigned char *v, size_t n,
                  struct arena *scratch)
{
    emit_packed(m, key, v, n, n, &(struct packing){ .type = "u8" }, scratch);
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

void emit_pack_ms(struct emit *m, const char *key, const int64_t *v, size_t n,
                  struct arena *scratch)
{
    unsigned char *bytes = arena_array(scratch, n + 1, 8);
    struct packing p = { .type = "u32", .scaled = true, .base = n ? v[0] : 0 };
    for (size_t i = 0; i < n; i++)
        p.scale = common_divisor(v[i] - p.base, p.scale);
    if (!p.scale)
        p.scale = 1;
    bool wide = n && (v[n - 1] - p.base) / p.scale >= UINT32_MAX;
    if (wide)
        p = (struct packing){ .type = "f64" };
    size_t each = wide ? 8 : 4;
    for (size_t i = 0; i < n && bytes; i++) {
        double ms = (double)v[i];
        uint64_t bits;
        memcpy(&bits, &ms, sizeof bits);
        put_le(bytes + each * i, wide ? bits : (uint64_t)((v[i] - p.base) / p.scale), each);
    }
    emit_packed(m, key, bytes, each * n, n, &p, scratch);
}
