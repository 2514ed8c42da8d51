/* models/vocab/demand.c - see demand.h. */
#include "models/vocab/demand.h"

static const struct {
    const char *name, *glyph;
} grades[] = {
    [GRADE_NONE] = { "none", "-" },         [GRADE_MEASURED] = { "measured", "=" },
    [GRADE_AVERAGED] = { "averaged", "~" }, [GRADE_CENSORED] = { "censored", ">=" },
    [GRADE_ASSUMED] = { "assumed", "?" },
};

const char *grade_name(enum grade g)
{
    return grades[g].name;
}

const char *grade_glyph(enum grade g)
{
    return grades[g].glyph;
}
