/* data/rollup_thin.c - see rollup_thin.h. */
#include "data/rollup_thin.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/ebs/io_count.h"

#include <math.h>
#include <string.h>

static const int64_t minute_length_ms = 60000, hour_length_ms = 3600000, day_length_ms = 86400000;
enum { SSD_CAP_KIB = 256 };

bool rollup_is_load(const struct store_sample *s)
{
    return !s->flags && s->begin_ms != UNKNOWN && s->end_ms > s->begin_ms &&
           s->end_ms - s->begin_ms <= day_length_ms;
}

/* Where only bytes are known they are requests of the largest size. */
static double counted(double iops, double kibps)
{
    if (isnan(iops))
        return kibps / SSD_CAP_KIB;
    return isnan(kibps) ? iops : io_counted_likely(iops, kibps / 1024, SSD_CAP_KIB);
}

void rollup_rates(const struct store_sample *s, double out[ROLLUP_RATES])
{
    double parts_iops = s->reads_per_s + s->writes_per_s;
    double parts_kibps = s->read_kib_per_s + s->write_kib_per_s;
    out[ROLLUP_READ_IOPS] = s->reads_per_s;
    out[ROLLUP_WRITE_IOPS] = s->writes_per_s;
    out[ROLLUP_TOTAL_IOPS] = isnan(s->total_per_s) ? parts_iops : s->total_per_s;
    out[ROLLUP_READ_KIBPS] = s->read_kib_per_s;
    out[ROLLUP_WRITE_KIBPS] = s->write_kib_per_s;
    out[ROLLUP_TOTAL_KIBPS] = isnan(s->total_kib_per_s) ? parts_kibps : s->total_kib_per_s;
    out[ROLLUP_COUNTED_IOPS] =
        counted(s->reads_per_s, s->read_kib_per_s) + counted(s->writes_per_s, s->write_kib_per_s);
    if (isnan(out[ROLLUP_COUNTED_IOPS]))
        out[ROLLUP_COUNTED_IOPS] = counted(out[ROLLUP_TOTAL_IOPS], out[ROLLUP_TOTAL_KIBPS]);
}

/* --- means -------------------------------------------------------------------------------------
 */

enum weight { BY_TIME, BY_READS, BY_WRITES, BY_REQUESTS };

static const struct mean_field {
    size_t offset;
    enum weight weight;
} fields[] = {
#define FIELD(name, weight)                                                                        \
    {                                                                                              \
        offsetof(struct store_sample, name), weight                                                \
    }
    FIELD(reads_per_s, BY_TIME),     FIELD(writes_per_s, BY_TIME),
    FIELD(read_kib_per_s, BY_TIME),  FIELD(write_kib_per_s, BY_TIME),
    FIELD(total_per_s, BY_TIME),     FIELD(total_kib_per_s, BY_TIME),
    FIELD(queue, BY_TIME),           FIELD(util_pct, BY_TIME),
    FIELD(read_merge_pct, BY_READS), FIELD(write_merge_pct, BY_WRITES),
    FIELD(read_await_ms, BY_READS),  FIELD(write_await_ms, BY_WRITES),
    FIELD(await_ms, BY_REQUESTS),
#undef FIELD
};
enum { N_FIELDS = sizeof fields / sizeof *fields };

static double field_of(const struct store_sample *s, size_t f)
{
    double v;
    memcpy(&v, (const char *)s + fields[f].offset, sizeof v);
    return v;
}

static double weight_of(const struct store_sample *s, enum weight w)
{
    double rates[ROLLUP_RATES], ms = (double)(s->end_ms - s->begin_ms);
    rollup_rates(s, rates);
    switch (w) {
    case BY_READS:
        return ms * rates[ROLLUP_READ_IOPS];
    case BY_WRITES:
        return ms * rates[ROLLUP_WRITE_IOPS];
    case BY_REQUESTS:
        return ms * rates[ROLLUP_TOTAL_IOPS];
    case BY_TIME:
        break;
    }
    return ms;
}

/* Of what is known; the mean by time where the weights say nothing. */
static double mean_of(const struct store_sample *s, size_t n, size_t f)
{
    double sum = 0, weights = 0, sum_by_time = 0, ms = 0;
    for (size_t i = 0; i < n; i++) {
        double v = field_of(&s[i], f), weight = weight_of(&s[i], fields[f].weight);
        if (isnan(v))
            continue;
        sum_by_time += v * weight_of(&s[i], BY_TIME);
        ms += weight_of(&s[i], BY_TIME);
        if (weight > 0) {
            sum += v * weight;
            weights += weight;
        }
    }
    double mean = weights > 0 ? sum / weights : ms > 0 ? sum_by_time / ms : NAN;
    return fabs(mean) < 1e11 ? floor(mean * 1e4 + 0.5) / 1e4 : mean;
}

static int64_t longest_of(const struct store_sample *s)
{
    return s->longest_ms == UNKNOWN ? s->end_ms - s->begin_ms : s->longest_ms;
}

/* The mean of n samples, or of parts of them. */
static struct store_sample mean_sample(const struct store_sample *s, size_t n)
{
    struct store_sample out = s[0];
    out.end_ms = s[n - 1].end_ms;
    out.longest_ms = 0;
    for (size_t i = 0; i < n; i++)
        out.longest_ms = longest_of(&s[i]) > out.longest_ms ? longest_of(&s[i]) : out.longest_ms;
    for (size_t f = 0; f < N_FIELDS; f++) {
        double mean = mean_of(s, n, f);
        memcpy((char *)&out + fields[f].offset, &mean, sizeof mean);
    }
    return out;
}

/* --- thinning ----------------------------------------------------------------------------------
 */

static bool same_hour(int64_t a_ms, int64_t b_ms)
{
    return time_floor(a_ms, hour_length_ms) == time_floor(b_ms, hour_length_ms);
}

static bool may_go(const struct store_sample *s, int64_t before_ms, const struct kept_times *kept)
{
    return rollup_is_load(s) && s->end_ms <= before_ms && same_hour(s->begin_ms, s->end_ms - 1) &&
           !stretches_meet(&kept->exact, s->begin_ms, s->end_ms);
}

/* A mean over what was measured and what was not would be neither. */
static bool rates_alike(const struct store_sample *a, const struct store_sample *b)
{
    bool alike = true;
    for (size_t f = 0; f < N_FIELDS; f++)
        if (fields[f].weight == BY_TIME)
            alike = alike && isnan(field_of(a, f)) == isnan(field_of(b, f));
    return alike;
}

static bool goes_on(const struct store_sample *a, const struct store_sample *b)
{
    return b->begin_ms == a->end_ms && same_hour(a->begin_ms, b->begin_ms) && rates_alike(a, b);
}

/* Where the mean that begins at begin_ms ends: with its minute when that is kept or not whole, else
 * with the last whole minute before such a one. */
static int64_t mean_end(const struct stretches *minutes, int64_t begin_ms, int64_t end_ms)
{
    int64_t minute_ms = time_floor(begin_ms, minute_length_ms), at_ms = begin_ms;
    while (at_ms == minute_ms && minute_ms + minute_length_ms <= end_ms &&
           !stretches_meet(minutes, minute_ms, minute_ms + minute_length_ms))
        at_ms = minute_ms = minute_ms + minute_length_ms;
    if (at_ms > begin_ms)
        return at_ms;
    return minute_ms + minute_length_ms < end_ms ? minute_ms + minute_length_ms : end_ms;
}

/* The parts of samples that lie in [from_ms, to_ms). */
static size_t cut_parts(const struct store_sample *s, size_t n, int64_t from_ms, int64_t to_ms,
                        struct store_sample *parts)
{
    size_t n_parts = 0;
    for (size_t i = 0; i < n && s[i].begin_ms < to_ms; i++) {
        struct store_sample *part = &parts[n_parts++];
        *part = s[i];
        part->longest_ms = longest_of(&s[i]);
        part->begin_ms = s[i].begin_ms > from_ms ? s[i].begin_ms : from_ms;
        part->end_ms = s[i].end_ms < to_ms ? s[i].end_ms : to_ms;
    }
    return n_parts;
}

/* The means of samples that go on without a gap; the samples themselves when there are no fewer. */
static size_t put_means(const struct store_sample *s, size_t n, const struct stretches *minutes,
                        struct store_sample *out, struct store_sample *scratch)
{
    size_t n_out = 0, at = 0;
    int64_t end_ms = s[n - 1].end_ms;
    for (int64_t from_ms = s[0].begin_ms, to_ms; from_ms < end_ms && n_out < n; from_ms = to_ms) {
        to_ms = mean_end(minutes, from_ms, end_ms);
        while (s[at].end_ms <= from_ms)
            at++;
        bool whole = s[at].begin_ms == from_ms && s[at].end_ms == to_ms;
        size_t n_parts = cut_parts(&s[at], n - at, from_ms, to_ms, scratch);
        out[n_out++] = whole ? s[at] : mean_sample(scratch, n_parts);
    }
    if (n_out == n)
        memcpy(out, s, n * sizeof *s);
    return n_out;
}

size_t rollup_thin(const struct store_sample *samples, size_t n, int64_t before_ms,
                   const struct kept_times *kept, struct store_sample *out,
                   struct store_sample *scratch)
{
    size_t left = 0;
    for (size_t from = 0, to; from < n; from = to) {
        to = from + 1;
        if (!may_go(&samples[from], before_ms, kept)) {
            out[left++] = samples[from];
            continue;
        }
        while (to < n && goes_on(&samples[to - 1], &samples[to]) &&
               may_go(&samples[to], before_ms, kept))
            to++;
        left += put_means(&samples[from], to - from, &kept->minutes, &out[left], scratch);
    }
    return left;
}
