/* tests/models/core/test_emit_words.c - sentences are kept, and nothing else that is said. */
#include "models/core/emit_words.h"

#include "tests/each_allocation.h"

static void say_all(struct emit *m)
{
    static const struct emit_col cols[] = { { "name", "name", true } };
    emit_say(m, "%s costs %d.", "PRD1", 5);
    emit_text(m, "system", "PRD1");
    emit_say(m, "%s", "");
    emit_label(m, "next", "volplan plan");
    emit_table(m, "groups", cols, 1);
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_cell(m, "name", "DATA");
    emit_end(m);
    emit_end(m);
    emit_say(m, "And so on.");
}

static void paragraphs_alone_are_kept(void **state)
{
    struct arena a = { 0 };
    struct err e = { 0 };
    struct emit_words w;
    (void)state;
    emit_words_init(&w, &a);
    say_all(&w.emit);
    assert_int_equal(emit_close(&w.emit, &e), 0);
    assert_int_equal(w.n, 2);
    assert_string_equal(w.said[0], "PRD1 costs 5.");
    assert_string_equal(w.said[1], "And so on.");
    arena_release(&a);
}

static void more_than_there_is_room_for_is_left_out(void **state)
{
    struct arena a = { 0 };
    struct err e = { 0 };
    struct emit_words w;
    (void)state;
    emit_words_init(&w, &a);
    for (int i = 0; i < EMIT_WORDS_MAX + 3; i++)
        emit_say(&w.emit, "%d", i);
    assert_int_equal(emit_close(&w.emit, &e), 0);
    assert_int_equal(w.n, EMIT_WORDS_MAX);
    assert_string_equal(w.said[EMIT_WORDS_MAX - 1], "15");
    arena_release(&a);
}

static void memory_runs_out(void **state)
{
    struct each_allocation it = { 0 };
    struct emit_words w;
    (void)state;
    while (each_allocation(&it)) {
        emit_words_init(&w, &it.a);
        say_all(&w.emit);
        it.rc = emit_close(&w.emit, &it.e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paragraphs_alone_are_kept),
        cmocka_unit_test(more_than_there_is_room_for_is_left_out),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
