/* cli/page/unpack.js - packed series into typed arrays, and the questions asked of them.
 *
 * A bucket is the interval of its stretch in which read + write is highest, so read and write stacked are
 * the peak (with what a source does not split into the two); min is the lowest total of the stretch. A level is one chart at one fineness: the envelope of
 * the whole range, an exact stretch around a peak, or what the server sent for a zoom. */
'use strict';
(function (V) {
    const CENSORED = 1, ARTEFACT = 2, THROTTLED = 4, AVERAGED = 8, ASSUMED = 16, HOLE = 32, PLAN_THROTTLED = 64, WAITED = 128;
    const AT_LEAST = CENSORED | WAITED;
    const NONE = 255;
    const ARRAYS = { f64: Float64Array, f32: Float32Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array };
    const UNKNOWN = { u32: 0xffffffff, u16: 0xffff, u8: 0xff };

    function bytes(b64) {
        const text = atob(b64);
        const out = new Uint8Array(text.length);
        for (let i = 0; i < text.length; i++)
            out[i] = text.charCodeAt(i);
        return out;
    }

    function raw(pack) {
        return new ARRAYS[pack.type](bytes(pack.b64).buffer);
    }

    /* value = base + scale * raw; all-ones is unknown. */
    function values(pack) {
        if (!pack)
            return null;
        const from = raw(pack);
        const out = new Float64Array(from.length);
        const base = pack.base || 0, scale = pack.scale === undefined ? 1 : pack.scale, unknown = UNKNOWN[pack.type];
        for (let i = 0; i < from.length; i++)
            out[i] = from[i] === unknown ? NaN : base + scale * from[i];
        return out;
    }

    /* Of what is known; NaN when neither is. */
    const sum = (a, b) => Number.isNaN(b) ? a : Number.isNaN(a) ? b : a + b;

    function metric(packed) {
        const read = values(packed.read), write = values(packed.write);
        const unsplit = packed.unsplit ? values(packed.unsplit) : new Float64Array(read.length).fill(NaN);
        const total = new Float64Array(read.length);
        for (let i = 0; i < total.length; i++)
            total[i] = sum(sum(read[i], write[i]), unsplit[i]);
        return { read, write, unsplit, total, min: packed.min ? values(packed.min) : total, unit: packed.unit };
    }

    /* A bucket in which a ceiling was seen is at it, whether or not requests had to wait.  A host is held back by the ceilings of
     * its groups too, but at its own only where one binds. */
    function states(packed, n) {
        const own = packed.kind === 'host' ? 0 : CENSORED;
        const state = packed.state ? raw(packed.state) : new Uint8Array(n);
        const binding = packed.binding ? raw(packed.binding) : [];
        for (let i = 0; i < n; i++)
            if (state[i] & own || binding.length && binding[i] !== NONE)
                state[i] |= THROTTLED;
        return state;
    }

    /* One packed chart as a level; its metrics are unpacked when first asked for. */
    function make_level(packed) {
        const t = values(packed.t);
        const made = {};
        return {
            t, n: t.length - 1, from: t[0], to: t[t.length - 1],
            state: states(packed, t.length - 1),
            binding: packed.binding ? raw(packed.binding) : null,
            names: packed.ceilings_names || [], exact: Boolean(packed.exact),
            has: name => Boolean(packed.metrics[name]),
            metric: name => made[name] || (made[name] = metric(packed.metrics[name]))
        };
    }

    /* The same data drawn anew is not unpacked anew: levels are kept by their packed edges. */
    const made_levels = new WeakMap();
    function level(packed) {
        if (!made_levels.has(packed.t))
            made_levels.set(packed.t, make_level(packed));
        return made_levels.get(packed.t);
    }

    /* The bucket that holds t, or -1. */
    function bucket(lv, t) {
        if (!(t >= lv.from) || t >= lv.to)
            return -1;
        let low = 0, high = lv.n - 1;
        while (low < high) {
            const mid = (low + high + 1) >> 1;
            if (lv.t[mid] <= t)
                low = mid;
            else
                high = mid - 1;
        }
        return low;
    }

    /* A chart of the page: its levels, coarse first, and its ceilings. */
    function chart(packed, details) {
        const base = level(packed);
        const own = (details || []).map(level).sort((a, b) => a.from - b.from);
        return {
            name: packed.name, kind: packed.kind, role: packed.role, ceiling_s: packed.ceiling_s, ceilings: packed.ceilings || [], base,
            details: own, metrics: Object.keys(packed.metrics)
        };
    }

    function charts(series) {
        if (!series || !series.charts)
            return [];
        const detail = series.detail || [];
        return series.charts.map(packed => chart(packed, detail
            .flatMap(d => d.charts.filter(c => c.name === packed.name && c.kind === packed.kind))
            .concat(packed.detail || [])));
    }

    /* The finest level that holds t. */
    function level_at(c, t) {
        let best = c.base;
        for (const d of c.details)
            if (t >= d.from && t < d.to && d.n / (d.to - d.from) > best.n / (best.to - best.from))
                best = d;
        return best;
    }

    /* [from, to) cut into pieces, each with the level to draw there: details where they are, else the envelope. */
    function pieces(c, from, to) {
        const out = [];
        let at = from;
        for (const d of c.details) {
            if (d.to <= at || d.from >= to)
                continue;
            if (d.from > at)
                out.push({ level: c.base, from: at, to: d.from });
            const begin = Math.max(d.from, at);
            at = Math.min(d.to, to);
            out.push({ level: d, from: begin, to: at });
        }
        if (at < to)
            out.push({ level: c.base, from: at, to });
        return out;
    }

    /* Highest total of a metric in [from, to); artefacts do not count. */
    function peak(c, name, from, to) {
        let max = 0;
        for (const p of pieces(c, from, to)) {
            const m = p.level.metric(name);
            for (let i = Math.max(0, bucket(p.level, Math.max(p.from, p.level.from))); i < p.level.n && p.level.t[i] < p.to; i++)
                if (m.total[i] > max && !(p.level.state[i] & ARTEFACT))
                    max = m.total[i];
        }
        return max;
    }

    function highest(c, m) {
        let best = -1;
        for (let i = 0; i < c.base.n; i++)
            if (V.known(m.total[i]) && !(c.base.state[i] & ARTEFACT) && !(best >= 0 && m.total[i] <= m.total[best]))
                best = i;
        return best < 0 ? [] : [best];
    }

    /* The highest buckets of the envelope, at least `apart` ms from each other, highest first. */
    function top_peaks(c, name, count, apart) {
        const m = c.base.metric(name);
        if (count === 1)
            return highest(c, m);
        const order = Array.from({ length: c.base.n }, (_, i) => i).filter(i => V.known(m.total[i]) && !(c.base.state[i] & ARTEFACT));
        order.sort((a, b) => m.total[b] - m.total[a] || a - b);
        const out = [];
        for (const i of order) {
            if (out.length === count)
                break;
            if (out.every(j => Math.abs(c.base.t[i] - c.base.t[j]) >= apart))
                out.push(i);
        }
        return out;
    }

    /* The ceiling that binds in a bucket: the named one, else the lowest of today's in force then. */
    function ceiling_at(c, name, t, binding) {
        const mine = c.ceilings.filter(k => k.metric === name && k.whose === 'today' && t >= k.from_ms && t < k.to_ms);
        const named = binding ? mine.filter(k => k.name === binding) : [];
        const from = named.length ? named : mine;
        return from.reduce((low, k) => !low || k.value < low.value ? k : low, null);
    }

    function sample_of(c, name, lv, i) {
        const m = lv.metric(name);
        const binding = lv.binding && lv.binding[i] !== NONE ? lv.names[lv.binding[i]] : null;
        return {
            from: lv.t[i], to: lv.t[i + 1], read: m.read[i], write: m.write[i], unsplit: m.unsplit[i], total: m.total[i], min: m.min[i],
            state: lv.state[i], binding, ceiling: ceiling_at(c, name, lv.t[i], binding), unit: m.unit
        };
    }

    function sample(c, name, t) {
        const lv = level_at(c, t);
        const i = bucket(lv, t);
        return i < 0 ? null : sample_of(c, name, lv, i);
    }

    /* The peak in bucket i of the envelope: the very interval where a finer level has it, else the bucket. */
    function peak_sample(c, name, i) {
        const whole = sample_of(c, name, c.base, i);
        for (const d of c.details) {
            const total = d.metric(name).total;
            for (let k = Math.max(0, bucket(d, Math.max(whole.from, d.from))); k < d.n && d.t[k] < whole.to; k++)
                if (d.t[k] >= whole.from && total[k] >= whole.total)
                    return sample_of(c, name, d, k);
        }
        return whole;
    }

    const grade_of = state => state & AT_LEAST ? 'censored' : state & ASSUMED ? 'assumed' : state & AVERAGED ? 'averaged' : 'measured';

    Object.assign(V, {
        CENSORED, ARTEFACT, THROTTLED, AVERAGED, ASSUMED, HOLE, PLAN_THROTTLED, WAITED, AT_LEAST, unpack_values: values,
        unpack_charts: charts, unpack_level: level, bucket, pieces, peak, top_peaks, sample, peak_sample, grade_of
    });
})(volplan);
