/* models/vocab/layout.h - which files and devices make which disk group of a system.
 *
 * The C form of the layout JSON of INTERFACE.md: data/ingest/layout reads it, the
 * store keeps the JSON, the planner plans by it.  Unknown: NULL, UNKNOWN, NaN. */
#ifndef MODELS_VOCAB_LAYOUT_H
#define MODELS_VOCAB_LAYOUT_H

#include "models/vocab/volume.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum group_role { ROLE_DATA, ROLE_REDO, ROLE_ARCHIVE, ROLE_TEMP, ROLE_BINARIES, ROLE_OTHER };
enum redundancy { REDUNDANCY_EXTERNAL, REDUNDANCY_NORMAL, REDUNDANCY_HIGH };

const char *group_role_name(enum group_role r);
const char *redundancy_name(enum redundancy r);
/* Writes of the group reach its devices this many times: 1, 2 or 3. */
int redundancy_copies(enum redundancy r);

struct layout_volumes {
    struct volume_spec spec;
    int64_t since_ms; /* in this form since then; UNKNOWN */
};

struct layout_file {
    const char *name; /* Oracle file type, "Log File" */
    double share_pct; /* 100 when not given */
};

struct group_policy {
    unsigned types; /* bit 1 << enum volume_type; 0 = the command's default */
    int64_t min_count, max_count, min_iops; /* 1, UNKNOWN, 0 when not given */
    const char *max_latency_class;
    double min_durability_pct;
    bool equal_size;       /* true when not given */
    int64_t size_step_gib; /* 1 when not given */
    bool keep;
};

struct layout_group {
    const char *name;
    enum group_role role;
    int64_t log_member; /* UNKNOWN */
    enum redundancy redundancy;
    double skew; /* >= 1; 1 when not given */
    int64_t au_mib;
    const char *const *devices; /* "nvme8n1" or "host:nvme*n1", * matches any run of characters */
    size_t n_devices;
    const char *const *volume_ids;
    size_t n_volume_ids;
    const struct layout_file *files;
    size_t n_files;
    int64_t need_gib, used_gib;
    const struct layout_volumes *volumes; /* today's */
    size_t n_volumes;
    struct group_policy policy;
};

struct layout_redo {
    int64_t members, block_bytes, groups, archive_copies, read_member; /* UNKNOWN when not given */
    int64_t filesystem_block_bytes; /* of the file system that holds the logs; UNKNOWN: none, as on
                                       ASM */
    double log_gib, buffer_mib, other_archive_readers,
        other_online_readers; /* NaN when not given */
};

struct layout_standby {
    const char *name, *transport, *via, *site;
    double send_mibps, rtt_ms, window_kib, apply_mibps;
};

struct layout {
    const char *system, *region, *instance_type; /* region and type NULL when not given */
    const int64_t *instances;
    size_t n_instances;
    int64_t network_interfaces; /* 1 when not given */
    struct layout_redo redo;
    const struct layout_standby *standbys;
    size_t n_standbys;
    const struct layout_group *groups;
    size_t n_groups;
};

/* Of which nothing is said. */
extern const struct layout layout_unknown;
extern const struct layout_group layout_group_unknown;

bool layout_names_volume(const struct layout_group *g, struct span volume_id);
int64_t layout_volume_count(const struct layout_group *g);
/* On the devices, of the volumes whose size is known. */
int64_t layout_volumes_gib(const struct layout_group *g);
/* What the group holds, mirrors apart: need_gib, else what its volumes have room for; UNKNOWN. */
int64_t layout_usable_gib(const struct layout_group *g);
/* All of one type, size and setting; also without any. */
bool layout_volumes_alike(const struct layout_group *g);

/* Whether a pattern of layout_group.devices names this device: "nvme8n1", "nvme*n1" on any
 * host, "db1:nvme*n1" on that host only.  '*' matches any run of characters, "/dev/" in
 * front of either is ignored. host may be NULL. */
bool layout_match_device(const char *pattern, const char *host, const char *device);

#endif
