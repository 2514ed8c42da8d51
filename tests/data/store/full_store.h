/* tests/data/store/full_store.h - a store with something in every table that loading fills. */
#ifndef TESTS_DATA_STORE_FULL_STORE_H
#define TESTS_DATA_STORE_FULL_STORE_H

#include "tests/data/store/store_fixture.h"

static const int64_t start_ms = INT64_C(1652853600000), minute_ms = 60000;

static const struct awr_io_row filetypes[] = {
    { "Data File", 1, 2, 3, 4, 5, 6, 7, 8, NAN, NAN, 9 },
};
static const struct awr_event events[] = { { "log file sync", "Commit", 1, 2, 3, 4, 5 } };
static const struct awr_stat stats[] = { { "redo size", 1, 2, 3 } };

/* A file with something in every table that belongs to files: samples from minute `from` on. */
static inline void full_put_file(struct store *s, const char *system, unsigned char hash, int from,
                                 int n)
{
    struct err e = { 0 };
    struct store_file_start start = fixture_start(system);
    struct store_file_end end = fixture_end(hash);
    bool known = false;
    end.first_ms = start_ms + from * minute_ms;
    end.last_ms = start_ms + (from + n) * minute_ms;
    assert_int_equal(store_file_begin(s, &start, &e), 0);
    for (int i = from; i < from + n; i++) {
        struct io_sample a = fixture_sample("sda", i), b = fixture_sample("sdb", i);
        struct metric_sample m = { .namespace_name = span_of("AWS/EBS"),
                                   .metric = span_of("VolumeReadOps"),
                                   .dimension = span_of("VolumeId=vol-1"),
                                   .instance_number = UNKNOWN,
                                   .statistic = STATISTIC_SUM,
                                   .counts = COUNT_EBS,
                                   .period_s = 60,
                                   .time_ms = start_ms + i * minute_ms,
                                   .value = i,
                                   .line = i };
        assert_int_equal(store_file_sample(s, &a, &e), 0);
        assert_int_equal(store_file_sample(s, &b, &e), 0);
        assert_int_equal(store_file_metric(s, &m, &e), 0);
    }
    struct awr_snapshot w = { .db_name = "PRD1",
                              .begin_ms = end.first_ms,
                              .end_ms = end.last_ms,
                              .filetypes = filetypes,
                              .n_filetypes = 1,
                              .events = events,
                              .n_events = 1,
                              .stats = stats,
                              .n_stats = 1 };
    struct volume_config v = { .volume_id = span_of("vol-1"),
                               .spec = { VOL_GP3, 1, 100, 3000, 125 },
                               .created_ms = start_ms,
                               .attached_ms = UNKNOWN,
                               .attachments = 1,
                               .ebs_card = UNKNOWN,
                               .line = 3 };
    struct volume_modification change = { .volume_id = span_of("vol-1"),
                                          .from = { VOL_GP2, 1, 100, 300, UNKNOWN },
                                          .to = { VOL_GP3, 1, 100, 3000, 125 },
                                          .start_ms = start_ms,
                                          .end_ms = UNKNOWN,
                                          .progress_pct = 12.5 };
    struct bill_line line = { .start_ms = end.first_ms,
                              .end_ms = end.last_ms,
                              .account = span_of("111122223333"),
                              .region = span_of("us-east-1"),
                              .resource = span_of("vol-1"),
                              .usage_type = span_of("EBS:VolumeUsage.gp3"),
                              .operation = span_of("CreateVolume-Gp3"),
                              .unit = span_of("GB-Mo"),
                              .currency = span_of("USD"),
                              .line_type = span_of("Usage"),
                              .has_amount = true,
                              .amount = 123456789,
                              .has_cost = true,
                              .cost = 8000000000,
                              .has_list_cost = true,
                              .list_cost = 10000000000,
                              .cost_decimals = 4,
                              .line = 11 };
    struct record_field fields[] = { { .key = "size", .unit = UNIT_BYTES, .num = 1.5 },
                                     { .key = "name", .num = NAN, .text = span_of("sd\xc3\xa4") } };
    struct record r = { .kind = "lsblk", .time_ms = UNKNOWN, .fields = fields, .n_fields = 2 };
    assert_int_equal(store_file_snapshot(s, &w, &e), 0);
    assert_int_equal(store_file_volume(s, &v, &e), 0);
    assert_int_equal(store_file_modification(s, &change, &e), 0);
    assert_int_equal(store_file_bill_line(s, &line, &e), 0);
    assert_int_equal(store_file_record(s, &r, &e), 0);
    assert_int_equal(store_file_warning(s, 7, "odd", &e), 0);
    if (store_file_commit(s, &end, &known, &e))
        fail_msg("%s", e.text);
    assert_false(known);
}

/* Two systems; of PRD1 two files of two hours each, an hour apart, and a layout. */
static inline struct store *full_store(void)
{
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    full_put_file(s, "PRD1", 1, 0, 120);
    full_put_file(s, "PRD2", 2, 0, 90);
    full_put_file(s, "PRD1", 3, 180, 120);
    assert_int_equal(store_layout_set(s, "PRD1", "{\"system\":\"PRD1\",\"groups\":[]}", &e), 0);
    return s;
}

#endif
