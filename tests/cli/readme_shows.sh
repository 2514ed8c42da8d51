#!/bin/sh
# tests/cli/readme_shows.sh COMMAND <OUTPUT - whether README shows OUTPUT below "$ COMMAND", line by line.
#
# A line "..." in README stands for any number of lines; a block that does not end in one is the whole output.
# For golden cases: says so in one line, or names the first line that differs and fails.
awk -v command="$1" '
    function fail(shown, came) {
        printf "README differs below $ %s\n  README:  %s\n  program: %s\n", command, shown, came
        failed = 1
        exit 1
    }
    NR == FNR { # README
        if (in_block && (/^```/ || /^[$] /)) in_block = 0
        if (in_block) shown[++n] = $0
        if ($0 == "$ " command) { found = 1; in_block = 1 }
        next
    }
    { came[++m] = $0 }
    END {
        if (failed) exit 1
        while (n && shown[n] == "") n--
        while (m && came[m] == "") m--
        if (!found || !n) fail("nothing is shown", came[1])
        at = 1
        for (i = 1; i <= n; i++) {
            if (shown[i] == "...") {
                if (i == n) at = m + 1
                while (i < n && at <= m && came[at] != shown[i + 1]) at++
            } else if (at > m || came[at++] != shown[i])
                fail(shown[i], at - 1 > m ? "(ends)" : came[at - 1])
        }
        if (at <= m) fail("(ends)", came[at])
        printf "as README shows it: %s\n", command
    }' "$(dirname "$0")/../../README.md" -
