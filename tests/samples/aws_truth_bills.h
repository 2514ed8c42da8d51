/* tests/samples/aws_truth_bills.h - what TRUTH.json says of volumes, instance types and bills. */
#ifndef TESTS_SAMPLES_AWS_TRUTH_BILLS_H
#define TESTS_SAMPLES_AWS_TRUTH_BILLS_H

#include "tests/samples/aws_truth.h"
#include "tests/samples/aws_truth_reconcile.h"

static void volumes(const char *file, const cJSON *v)
{
    const cJSON *row, *item;
    size_t i = 0;
    read_file(file, NAN);
    cJSON_ArrayForEach(row, member(v, "rows"))
    {
        assert_true(i < got.n_volumes);
        const struct volume_config *is = &got.volumes[i++];
        same_text("id", is->volume_id, member(row, "id"));
        same_int("size_gib", is->spec.size_gib, member(row, "size_gib"));
        if ((item = cJSON_GetObjectItem(row, "type")))
            same_text("type", span_of(volume_type_name(is->spec.type)), item);
        if ((item = cJSON_GetObjectItem(row, "iops")))
            same_int("iops", is->spec.iops, item);
        if ((item = cJSON_GetObjectItem(row, "throughput_mib_s")))
            same_int("throughput_mib_s", is->spec.throughput_mibps, item);
        if ((item = cJSON_GetObjectItem(row, "state")))
            same_text("state", is->state, item);
        if ((item = cJSON_GetObjectItem(row, "az")))
            same_text("az", is->zone, item);
        item = member(row, "attached");
        if (cJSON_IsString(item)) {
            same_text("attached", is->instance_id, item);
            continue;
        }
        same("attachments", (double)is->attachments,
             &(cJSON){ .type = cJSON_Number, .valuedouble = cJSON_GetArraySize(item) }, 0);
        if (cJSON_GetArraySize(item)) {
            same_text("instance", is->instance_id, cJSON_GetArrayItem(item->child, 0));
            same_text("device", is->device, cJSON_GetArrayItem(item->child, 1));
        }
    }
    assert_int_equal(got.n_volumes, i);
}

static const struct record_field *field(size_t record, const char *key)
{
    for (size_t i = 0; i < got.records[record].n; i++)
        if (strcmp(got.records[record].fields[i].key, key) == 0)
            return &got.records[record].fields[i];
    fail_msg("%s: no field '%s'", now, key);
    return NULL;
}

/* 078: throughput is MB/s; in MiB/s it is 1000000/1048576 of that. */
static void instance_caps(const char *file, const cJSON *v)
{
    const cJSON *row;
    size_t i = 0;
    read_file(file, NAN);
    cJSON_ArrayForEach(row, member(v, "rows"))
    {
        assert_true(i < got.n_records);
        same_text("type", field(i, "instance_type")->text, member(row, "type"));
        same("base_iops", field(i, "baseline_iops")->num, member(row, "base_iops"), 0);
        same("max_iops", field(i, "maximum_iops")->num, member(row, "max_iops"), 0);
        same("max_mb_s", field(i, "maximum_throughput_mb_s")->num, member(row, "max_mb_s"), 0);
        same("max_mib_s", field(i, "maximum_throughput_mb_s")->num / MB_PER_MIB,
             member(row, "max_mib_s"), 5.1e-5);
        i++;
    }
    assert_int_equal(got.n_records, i);
}

/* What the truth calls a usage: the type without its region. */
static struct span plain_usage(struct span usage_type)
{
    ptrdiff_t at = span_find(usage_type, "EBS:");
    return span_cut(usage_type, at < 0 ? 0 : (size_t)at, usage_type.len);
}

static const char *what_of(const struct bill_line *l)
{
    struct span u = plain_usage(l->usage_type);
    return span_starts(u, "EBS:VolumeUsage")    ? "storage"
           : span_starts(u, "EBS:VolumeP-IOPS") ? "iops"
           : span_starts(u, "EBS:Snapshot")     ? "snapshot"
                                                : "other";
}

/* 107, 110, 111: the lines with a volume, or all of them where none is named. */
static void bill(const char *file, const cJSON *v)
{
    const cJSON *row, *item;
    size_t at = 0;
    money total = 0;
    read_file(file, NAN);
    for (size_t i = 0; i < got.n_bills; i++)
        total += got.bills[i].cost;
    cJSON_ArrayForEach(row, member(v, "rows"))
    {
        const cJSON *resource = cJSON_GetObjectItem(row, "resource");
        while (at < got.n_bills && resource && !got.bills[at].resource.len)
            at++; /* 111, line 2: kept, since it was paid for; the warning is checked below */
        assert_true(at < got.n_bills);
        const struct bill_line *l = &got.bills[at++];
        if (resource)
            same_text("resource", l->resource, resource);
        same_text("usage", plain_usage(l->usage_type), member(row, "usage"));
        same_money("amount", l->amount, member(row, "amount"));
        same_money("cost", l->cost, member(row, "cost"));
        if ((item = cJSON_GetObjectItem(row, "region")))
            same_text("region", l->region, item);
        if ((item = cJSON_GetObjectItem(row, "unit")))
            same_text("unit", l->unit, item);
        if ((item = cJSON_GetObjectItem(row, "rate")))
            same("rate", money_double(l->cost) / money_double(l->amount), item, 1e-12);
        if ((item = cJSON_GetObjectItem(row, "start")))
            same_time("start", l->start_ms, item);
        if ((item = cJSON_GetObjectItem(row, "end")))
            same_time("end", l->end_ms, item);
    }
    assert_int_equal(got.n_bills, at);
    if ((item = cJSON_GetObjectItem(v, "ebs_total")))
        same_money("ebs_total", total, item);
    if (cJSON_GetObjectItem(v, "warn"))
        assert_true(warned("72000 GiB"));
    /* 111: 10 GB-Mo of gp3 are 0.80, billed are 5.00 and 3.00 */
    if (cJSON_GetObjectItem(v, "errors"))
        reconciles("6.4", "resource IDs not switched on");
    else
        reconciles("0", NULL);
    if (cJSON_GetObjectItem(v, "errors")) {
        assert_true(warned_at(2, "names no volume"));
        assert_true(warned_at(3, "cost 'notanumber' is not a number"));
        n_figures += 2;
    }
}

/* 113: sums by usage type. */
static void bill_aggregate(const char *file, const cJSON *v)
{
    const cJSON *usage;
    size_t n_all = 0;
    read_file(file, NAN);
    cJSON_ArrayForEach(usage, member(v, "by_usage_type"))
    {
        money sum = 0;
        size_t n = 0;
        for (size_t i = 0; i < got.n_bills; i++)
            if (span_is(plain_usage(got.bills[i].usage_type), usage->string)) {
                sum += got.bills[i].cost;
                n++;
            }
        same("rows", (double)n, member(usage, "rows"), 0);
        same("usd", money_double(sum), member(usage, "usd"), 5.1e-7);
        n_all += n;
    }
    assert_int_equal(got.n_bills, n_all);
    reconciles("0", "no amounts in the bill: only costs");
}

/* 116: every volume row, and totals by what and region. */
static void focus_bill(const char *file, const cJSON *v)
{
    const cJSON *row, *total;
    size_t at = 0;
    read_file(file, NAN);
    for (size_t i = 0; i < got.n_bills; i++)
        assert_true(span_is(got.bills[i].currency, cJSON_GetStringValue(member(v, "currency"))));
    cJSON_ArrayForEach(row, member(v, "rows"))
    {
        while (at < got.n_bills && strcmp(what_of(&got.bills[at]), "snapshot") == 0)
            at++;
        assert_true(at < got.n_bills);
        const struct bill_line *l = &got.bills[at++];
        same_text("resource", l->resource, member(row, "resource"));
        same_time("start", l->start_ms, member(row, "start"));
        same_time("end", l->end_ms, member(row, "end"));
        same_text("what", span_of(what_of(l)), member(row, "what"));
        same_money("amount", l->amount, member(row, "amount"));
        same_text("unit", l->unit, member(row, "unit"));
        same_money("cost", l->cost, member(row, "cost"));
        /* unit price: what the list cost makes of the amount, both rounded to 10 decimals */
        if (l->amount)
            same("unit_price", money_double(l->list_cost) / money_double(l->amount),
                 member(row, "unit_price"), 1e-10 / money_double(l->amount));
        const cJSON *gib = member(row, "equals_gib_for_full_hour");
        double hours = (double)(l->end_ms - l->start_ms) / 3600000;
        same("equals_gib", cJSON_IsNull(gib) ? NAN : money_double(l->amount) * 720 / hours, gib,
             5.1e-5);
    }
    cJSON_ArrayForEach(total, member(v, "totals"))
    {
        money quantity = 0, billed = 0;
        size_t n = 0;
        for (size_t i = 0; i < got.n_bills; i++) {
            char key[80];
            snprintf(key, sizeof key, "%s %.*s", what_of(&got.bills[i]),
                     SPAN_ARG(got.bills[i].region));
            if (strcmp(key, total->string) != 0)
                continue;
            quantity += got.bills[i].amount;
            billed += got.bills[i].cost;
            n++;
        }
        same("rows", (double)n, member(total, "rows"), 0);
        same_money("quantity", quantity, member(total, "quantity"));
        same_money("billed", billed, member(total, "billed"));
    }
    reconciles("0", NULL);
}

/* 122: grouped by service and tag: nothing in it is of EBS. */
static void no_ebs(const char *file, const cJSON *v)
{
    (void)v;
    read_file(file, NAN);
    assert_int_equal(got.n_bills, 0);
    assert_int_equal(got.skipped, 2);
    assert_true(warned("no costs of EBS usage types"));
    n_figures++;
}

#endif
