# data/demo/iostat.awk - writes the demo system's `iostat -xkt 60` of 2022-05-18, 06:00 to 14:00.
#
# The rates are those of a published incident: over 07:00-09:59 each group averages what the
# AWR report beside this file says, and three times in the morning the first redo group stands
# at 500 MiB/s, the most that one io2 volume of 5 000 IOPS carried in 2022, with 417 requests/s.
#   group   devices            at a spike (r+w MiB/s)   30 min after   else (so that the mean holds)
#   REDO1   nvme8n1            382 + 118                8.14 + 2.54    8.14 + 2.54
#   REDO2   nvme9n1              0 + 118                0 + 2.54       0 + 2.54
#   FRA     nvme5n1 nvme6n1     20 + 72                 85 + 60        8.42 + 7.79
#   DATA    nvme1n1..nvme4n1    34 + 16                 29.97 + 15.06  29.97 + 15.06
BEGIN {
    printf "Linux 5.4.17-2136.307.3.1.el8uek.x86_64 (prd1db) \t05/18/22 \t_x86_64_\t(32 CPU)\n\n"
    stamp(0); heading(); since_boot()
    for (minute = 1; minute <= 480; minute++) {
        spike = in_spike(minute); tail = !spike && in_tail(minute)
        flat = minute % 14 == 5 ? 1 : 0.996 + 0.003 * wave(minute)   # of the plateau
        noise = 1 + 0.2 * wave(minute)                               # of everything else
        stamp(minute); heading()
        row("nvme0n1", 0.02 * noise, 12, 0.1 * noise, 16, 0.6, 0.9)
        for (i = 1; i <= 4; i++)
            row("nvme" i "n1", (spike ? 34 : 29.97 * noise) / 4, 24, (spike ? 16 : 15.06 * noise) / 4, 28, 0.6, 0.8)
        for (i = 5; i <= 6; i++)
            row("nvme" i "n1", (spike ? 20 : tail ? 85 * noise : 8.42 * noise) / 2, 1008,
                (spike ? 72 : tail ? 60 * noise : 7.79 * noise) / 2, 1022, spike || tail ? 9 : 2, 6)
        row("nvme7n1", 0.01 * noise, 8, 0.05 * noise, 12, 0.6, 0.9)
        if (spike)
            row("nvme8n1", 382 * flat, 1280, 118 * flat, 1084.74, 41.1, 95.2)
        else
            row("nvme8n1", 8.143 * noise, 1008, 2.544 * noise, 391, 6.5, 1.4)
        row("nvme9n1", 0, 0, spike ? 118 * flat : 2.544 * noise, spike ? 1084.74 : 391, 0, spike ? 8.3 : 1.4)
        printf "\n"
    }
}

function in_spike(m) { return (m > 102 && m <= 116) || (m > 270 && m <= 284) || (m > 375 && m <= 388) }
function in_tail(m)  { return (m > 116 && m <= 146) || (m > 284 && m <= 314) || (m > 388 && m <= 418) }
# A wave of many minutes whose mean is 0.
function wave(m)     { return (sin(m * 0.7) + sin(m * 2.3)) / 2 }

function stamp(m)
{
    h = 6 + int(m / 60)
    printf "05/18/2022 %02d:%02d:00 %s\n", (h > 12 ? h - 12 : h), m % 60, (h >= 12 ? "PM" : "AM")
    printf "avg-cpu:  %%user   %%nice %%system %%iowait  %%steal   %%idle\n"
    printf "          11.20    0.00    2.10    3.40    0.00   83.30\n\n"
}
function heading()
{
    printf "Device            r/s     rkB/s   rrqm/s  %%rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s"
    printf "  %%wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %%drqm d_await dareq-sz  aqu-sz  %%util\n"
}
function row(dev, rmib, rsize, wmib, wsize, rwait, wwait,    rkb, wkb, r, w, queue, busy)
{
    rkb = rmib * 1024; wkb = wmib * 1024
    r = rsize ? rkb / rsize : 0; w = wkb / wsize
    queue = (r * rwait + w * wwait) / 1000; busy = queue * 100; if (busy > 99.9) busy = 99.9
    printf "%-13s %7.2f %9.2f     0.00   0.00 %7.2f %8.2f %7.2f %9.2f     0.00   0.00 %7.2f %8.2f", dev, r, rkb,
           rwait, rsize, w, wkb, wwait, wsize
    printf "    0.00      0.00     0.00   0.00    0.00     0.00 %7.2f %6.2f\n", queue, busy
}
function since_boot()
{
    row("nvme0n1", 0.03, 12, 0.1, 16, 0.6, 0.9)
    for (i = 1; i <= 4; i++) row("nvme" i "n1", 6.2, 24, 3.1, 28, 0.6, 0.8)
    for (i = 5; i <= 6; i++) row("nvme" i "n1", 5.5, 1008, 4.9, 1022, 3, 4)
    row("nvme7n1", 0.01, 8, 0.05, 12, 0.6, 0.9)
    row("nvme8n1", 18.2, 1008, 5.6, 391, 9.8, 5.1)
    row("nvme9n1", 0, 0, 5.6, 391, 0, 1.9)
    printf "\n"
}
