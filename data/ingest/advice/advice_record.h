/* data/ingest/advice/advice_record.h - one recommendation, whoever gave it and in whatever form. */
#ifndef DATA_INGEST_ADVICE_ADVICE_RECORD_H
#define DATA_INGEST_ADVICE_ADVICE_RECORD_H

#include "data/ingest/json/feed.h"

/* What a volume is or should be; NaN and empty where the adviser does not say. */
struct advice_spec {
    struct span type; /* volume type, or instance type */
    double size_gib, iops, throughput_mibps, monthly_usd;
};

struct advice {
    const char *source; /* "compute_optimizer", "cost_optimization_hub" */
    struct span resource_arn, account, region, finding, currency, action;
    struct span current_summary, recommended_summary;
    struct advice_spec current, recommended;
    double rank, savings_usd, performance_risk, lookback_days;
    double read_iops_max, write_iops_max, read_bytes_per_s_max, write_bytes_per_s_max;
    int64_t line;
};

/* All unknown. */
void advice_clear(struct advice *v);
/* Hands it over as a record of kind "recommendations".  Volume or instance, and the
 * region, are taken from the ARN where they are not given. */
int advice_hand_over(struct feed *f, const struct advice *v);

/* data/ingest/advice/optimizer_csv.c: the export files. */
bool optimizer_csv_detect(struct span head);
int optimizer_csv_read(struct feed *f);

#endif
