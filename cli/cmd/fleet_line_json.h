/* cli/cmd/fleet_line_json.h - a line of plan --all as JSON, and back. */
#ifndef CLI_CMD_FLEET_LINE_JSON_H
#define CLI_CMD_FLEET_LINE_JSON_H

#include "planner/report/report_fleet.h"

/* fleet_line_emit as text, in the arena.  ERR_NOMEM. */
int fleet_line_write(const struct fleet_line *l, struct arena *a, const char **out, struct err *e);
/* What fleet_line_write wrote of this system: reports say the same of both.  ERR_PARSE. */
int fleet_line_read(const char *json, const char *system, struct arena *a, struct fleet_line *out,
                    struct err *e);

#endif
