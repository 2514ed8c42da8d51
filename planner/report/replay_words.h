/* planner/report/replay_words.h - figures of a replay in words. */
#ifndef PLANNER_REPORT_REPLAY_WORDS_H
#define PLANNER_REPORT_REPLAY_WORDS_H

#include "planner/replay/replay_measured.h"

/* "0.4 s", "282 s", "41 min", "4 h 55 min"; no more digits than matter. */
char *seconds_words(char buf[48], double s);
/* "898 458", "12.5". */
char *mib_words(char buf[48], double mib);
/* Of throttled_s; "-" for none. */
char *waits_words(char buf[48], const struct replay_result *r);
/* The ceiling that bound longest; REPLAY_NONE when none did. */
enum replay_ceiling longest_ceiling(const struct replay_result *r);
const char *held_by_words(enum replay_ceiling c); /* of a cell: "volume MiB/s"; "-" for none */
char *held_by_sentence(char buf[48], enum replay_ceiling c); /* "volume throughput" */
/* "2 x io2 250 GiB 5 000 IOPS", or as short_spec; several kinds by their number; NULL for none. */
const char *volumes_words(char buf[96], const struct replay_volumes *v, bool shortly);

const char *verdict_words(enum reproduces v);
/* Nothing came near a ceiling. */
bool replay_measured_untouched(const struct replay_measured *r);
/* Why; what: "its volumes". */
enum { REPLAY_REASON = 400 };
char *reason_words(char buf[REPLAY_REASON], const struct replay_measured *r, const char *what);

#endif
