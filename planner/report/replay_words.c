/* planner/report/replay_words.c - see replay_words.h. */
#include "planner/report/replay_words.h"

#include "planner/report/emit_option.h"

#include <stdio.h>

char *seconds_words(char buf[48], double s)
{
    char n[48];
    if (isnan(s))
        snprintf(buf, 48, "-");
    else if (s < 0.01)
        snprintf(buf, 48, "%.2g ms", s * 1000);
    else if (s < 10)
        snprintf(buf, 48, "%.2g s", s);
    else if (s < 600)
        snprintf(buf, 48, "%.0f s", s);
    else if (s < 2 * 3600)
        snprintf(buf, 48, "%.0f min", s / 60);
    else if (s < 48 * 3600)
        snprintf(buf, 48, "%.0f h %.0f min", floor(round(s / 60) / 60), fmod(round(s / 60), 60));
    else
        snprintf(buf, 48, "%.30s days", unit_format(n, s / 86400, s < 864000 ? 1 : 0));
    return buf;
}

char *mib_words(char buf[48], double mib)
{
    return mib >= 1000 ? unit_format(buf, mib, 0) : rate_words(buf, mib);
}

char *waits_words(char buf[48], const struct replay_result *r)
{
    if (r->throttled_s > 0)
        return seconds_words(buf, r->throttled_s);
    snprintf(buf, 48, "-");
    return buf;
}

enum replay_ceiling longest_ceiling(const struct replay_result *r)
{
    int longest = REPLAY_NONE;
    for (int c = REPLAY_NONE + 1; c < REPLAY_CEILING_COUNT; c++)
        if (r->binding_s[c] > (longest == REPLAY_NONE ? 0 : r->binding_s[longest]))
            longest = c;
    return (enum replay_ceiling)longest;
}

const char *held_by_words(enum replay_ceiling c)
{
    static const char *const words[REPLAY_CEILING_COUNT] = {
        [REPLAY_NONE] = "-",
        [REPLAY_VOLUME_THROUGHPUT] = "volume MiB/s",
        [REPLAY_VOLUME_IOPS] = "volume IOPS",
        [REPLAY_VOLUME_CREDITS] = "no credits left",
        [REPLAY_CARD_THROUGHPUT] = "EBS card MB/s",
        [REPLAY_CARD_IOPS] = "EBS card IOPS",
        [REPLAY_INSTANCE_THROUGHPUT] = "instance MB/s",
        [REPLAY_INSTANCE_IOPS] = "instance IOPS",
        [REPLAY_BASELINE_THROUGHPUT] = "baseline MB/s",
        [REPLAY_BASELINE_IOPS] = "baseline IOPS",
    };
    return words[c];
}

char *held_by_sentence(char buf[48], enum replay_ceiling c)
{
    snprintf(buf, 48, "%s", replay_ceiling_name(c));
    for (char *s = buf; *s; s++)
        *s = *s == '_' ? ' ' : *s;
    return buf;
}

const char *volumes_words(char buf[96], const struct replay_volumes *v, bool shortly)
{
    if (v->n == 0)
        return NULL;
    if (v->n == 1)
        return shortly ? short_spec(buf, &v->rows[0].spec)
                       : volume_spec_format(buf, &v->rows[0].spec);
    long long count = 0;
    for (size_t i = 0; i < v->n; i++)
        count += v->rows[i].spec.count;
    snprintf(buf, 96, "%lld volumes of %zu kinds", count, v->n);
    return buf;
}

const char *verdict_words(enum reproduces v)
{
    static const char *const words[] = { "not known", "not reproduced", "reproduced" };
    return words[v];
}

/* Most of the time exactly at the baseline, as if there were no credits. */
static bool baseline_is_flat(const struct replay_measured *r)
{
    return r->at_baseline_s > (r->measured_s + r->averaged_s) / 2;
}

bool replay_measured_untouched(const struct replay_measured *r)
{
    return r->verdict == REPRODUCES_YES && !(r->at_ceiling_s > 0) && !r->hot_volume &&
           !(r->set_apart_s > 0) && !baseline_is_flat(r);
}

static const char *share_words(char buf[48], double part_s, double all_s)
{
    double pct = part_s / all_s * 100;
    snprintf(buf, 48, pct < 0.1 ? "%.2g %%" : pct < 10 ? "%.1f %%" : "%.0f %%", pct);
    return buf;
}

static void unknown_words(char buf[REPLAY_REASON], const struct replay_measured *r,
                          const char *what)
{
    if (!(r->measured_s + r->averaged_s > 0))
        snprintf(buf, REPLAY_REASON, "nothing was measured");
    else if (!r->known)
        snprintf(buf, REPLAY_REASON, "what %s could do then is not known: the layout does not say",
                 what);
    else
        snprintf(buf, REPLAY_REASON,
                 "mostly averages of more than a minute, which hide what was above them");
}

char *reason_words(char buf[REPLAY_REASON], const struct replay_measured *r, const char *what)
{
    char max[48], ceiling[48], share[48], at[48], iops[48], most_iops[48];
    double all_s = r->measured_s + r->averaged_s;
    rate_words(max, r->max_mibps);
    rate_words(ceiling, r->ceiling_mibps);
    share_words(share, r->above_s, all_s);
    if (r->verdict == REPRODUCES_UNKNOWN)
        unknown_words(buf, r, what);
    else if (r->verdict == REPRODUCES_NO)
        snprintf(buf, REPLAY_REASON,
                 "in %s of the time more was measured than %s can carry by the layout and the "
                 "rules of that day (at most %s of %s MiB/s, %s of %s counted requests/s%s%s): "
                 "correct type, figures or since",
                 share, what, max, ceiling, unit_format(iops, r->max_iops, 0),
                 unit_format(most_iops, r->ceiling_iops, 0),
                 r->set_apart_s > 0 ? "; what is set apart was more" : "",
                 r->lowest_credits <= 0 ? "; full credits would be used up" : "");
    else if (baseline_is_flat(r))
        snprintf(buf, REPLAY_REASON,
                 "flat at %s IOPS, the baseline of %s, for %s of %s: credits were used up before, "
                 "while the replay starts with all of them",
                 unit_format(iops, r->baseline_iops, 0), what, seconds_words(at, r->at_baseline_s),
                 seconds_words(share, all_s));
    else if (r->at_ceiling_s > 0)
        snprintf(buf, REPLAY_REASON,
                 "%s MiB/s at most where %s are allowed, at a ceiling for %s of %s%s", max, ceiling,
                 seconds_words(at, r->at_ceiling_s), seconds_words(share, all_s),
                 r->set_apart_s > 0 ? "; samples above what is possible are set apart" : "");
    else if (r->hot_volume)
        snprintf(buf, REPLAY_REASON,
                 "all volumes together stay below their ceilings, but one alone (%.60s) was at its "
                 "own for %s of %s: a load spread evenly does not show it",
                 r->hot_volume, seconds_words(at, r->hot_volume_s), seconds_words(share, all_s));
    else
        snprintf(
            buf, REPLAY_REASON,
            "never at a ceiling: %s MiB/s at most where %s are allowed, so nothing contradicts%s",
            max, ceiling,
            r->set_apart_s > 0 ? "; samples above what is possible are set apart" : "");
    return buf;
}
