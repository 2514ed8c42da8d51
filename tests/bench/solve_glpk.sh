#!/bin/sh
# tests/bench/solve_glpk.sh VOLPLAN - a system of 20 groups with 7 types and 32 counts each, planned, and solved
# by GLPK as a mixed-integer program: the same cost, and both times (tests/planner/solve/glpk.sh).
BENCH=1 exec tests/planner/solve/glpk.sh "$(dirname "$1")/tests/planner/solve/glpk_systems"
