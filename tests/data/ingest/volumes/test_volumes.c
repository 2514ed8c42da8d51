/* tests/data/ingest/volumes/test_volumes.c - describe-volumes, -modifications, -instances, -types.
 */
#include "tests/data/ingest/json/sink_log.h"

#define N(a) (sizeof(a) / sizeof *(a))

#define TITLE                                                                                      \
    "--------------------------\n|     DescribeVolumes    | \n+------------+------+----+\n"

static const struct log_case cases[] = {
    { "gp3 has throughput, gp2 its baseline as IOPS, standard neither", "volumes",
      "{\"Volumes\":[\n"
      "{\"VolumeId\":\"vol-0aa1\",\"VolumeType\":\"gp3\",\"Size\":500,\"Iops\":6000,\"Throughput\":"
      "500,"
      "\"State\":\"in-use\",\"AvailabilityZone\":\"eu-west-1a\",\"CreateTime\":"
      "\"2024-01-31T10:00:00.123Z\",\"Tags\":[{\"Key\":\"env\",\"Value\":\"p\"},{\"Key\":\"Name\","
      "\"Value\":\"PRD1 "
      "data\"}],\"Attachments\":[{\"InstanceId\":\"i-0cc3\",\"Device\":\"/dev/sdf\","
      "\"State\":\"attached\"}]},\n"
      "{\"VolumeId\":\"vol-0bb2\",\"VolumeType\":\"gp2\",\"Size\":8,\"Iops\":100,\"State\":"
      "\"available\",\"SnapshotId\":\"\",\"Attachments\":[]},\n"
      "{\"VolumeId\":\"vol-abdb8d37\",\"VolumeType\":\"standard\",\"Size\":128}]}\n",
      "volume vol-0aa1 gp3 500 6000 500 in-use i-0cc3 /dev/sdf eu-west-1a PRD1 data 1 @2\n"
      "volume vol-0bb2 gp2 8 100 - available - - - - 0 @3\n"
      "volume vol-abdb8d37 standard 128 - - - - - - - - @4\n"
      "rows 3 skipped 0\n",
      0 },
    { "Multi-Attach: the volume once, each attachment as a record", "volumes",
      "{\"Volumes\":[{\"VolumeId\":\"vol-0aa1\",\"VolumeType\":\"io2\",\"Size\":100,\"Iops\":5000,"
      "\"MultiAttachEnabled\":true,\"Attachments\":[{\"InstanceId\":\"i-0cc3\",\"Device\":\"/dev/"
      "sdf\","
      "\"EbsCardIndex\":1},{\"InstanceId\":\"i-0dd4\",\"Device\":\"/dev/sdg\"}]}]}",
      "attachments volume_id=vol-0aa1 instance_id=i-0cc3 device=/dev/sdf ebs_card=1\n"
      "attachments volume_id=vol-0aa1 instance_id=i-0dd4 device=/dev/sdg\n"
      "volume vol-0aa1 io2 100 5000 - - i-0cc3 /dev/sdf - - 2 multi @1\n"
      "rows 3 skipped 0\n",
      0 },
    { "an SDK recording, and its next page in the same file", "volumes",
      "{\"status_code\":200,\"data\":{\"ResponseMetadata\":{},\"NextToken\":\"t\",\"Volumes\":["
      "{\"VolumeId\":\"vol-0aa1\",\"VolumeType\":\"io1\",\"Size\":16,\"Iops\":400,\"CreateTime\":"
      "{\"__class__\":\"datetime\",\"year\":2017,\"month\":7,\"day\":11}}]}}\n"
      "{\"Volumes\":[{\"VolumeId\":\"vol-0bb2\",\"VolumeType\":\"st1\",\"Size\":500}]}",
      "volume vol-0aa1 io1 16 400 - - - - - - - @1\n"
      "volume vol-0bb2 st1 500 - - - - - - - - @2\n"
      "rows 2 skipped 0\n",
      0 },
    { "a page without the next one", "volumes",
      "{\"Volumes\":[{\"VolumeId\":\"vol-0aa1\",\"VolumeType\":\"sc1\",\"Size\":500}],\n"
      "\"NextToken\":\"t\"}",
      "volume vol-0aa1 sc1 500 - - - - - - - - @1\n"
      "warning 2 NextToken: the answer goes on; ask for the next page\n"
      "rows 1 skipped 0\n",
      0 },
    { "--query with the user's own keys", "volumes",
      "[{\"ID\":\" vol-0aa1\",\"Size_GiB\":30,\"Type\":\"gp3\",\"AZ\":\"eu-west-1b\",\"Instance\":"
      "\"i-0cc3\",\"Tag\":[{\"Key\":\"Name\",\"Value\":\"REDO1\"}]}]",
      "volume vol-0aa1 gp3 30 - - - i-0cc3 - eu-west-1b REDO1 - @1\n"
      "rows 1 skipped 0\n",
      0 },
    { "--query with a size alone: the type is unknown, not gp3", "volumes",
      "[{\"VolumeId\":\"vol-0aa1\",\"Size\":30}]",
      "volume vol-0aa1 - 30 - - - - - - - - @1\nrows 1 skipped 0\n", 0 },
    { "--query with two keys for one thing", "volumes",
      "[{\"VolumeId\":\"vol-0aa1\",\"Size\":30,\"SizeGiB\":31}]",
      "-2 f:1: the keys 'Size' and 'SizeGiB' may both mean the same\n", 0 },
    { "--query with ids and tags only", "volumes", "[{\"ID\":\"vol-0aa1\",\"Tag\":[]}]",
      "warning 1 vol-0aa1: neither size nor type in the list; not read\n"
      "-2 f:1: the list has neither sizes nor types of its volumes\n",
      0 },
    { "--query that gives lists without keys", "volumes", "[[\"vol-0aa1\",30]]",
      "-2 f:1: a volume without keys: --query must name its columns, as in "
      "{VolumeId:VolumeId,Size:Size}\n",
      0 },
    { "a type that is not known yet", "volumes",
      "{\"Volumes\":[{\"VolumeId\":\"vol-0aa1\",\"VolumeType\":\"gp9\",\"Size\":30}]}",
      "warning 1 vol-0aa1: unknown volume type 'gp9'\n"
      "volume vol-0aa1 - 30 - - - - - - - - @1\nrows 1 skipped 0\n",
      0 },
    { "a volume without id", "volumes", "{\"Volumes\":[{\"Size\":30}]}",
      "-2 f:1: a volume without VolumeId\n", 0 },
    { "a quote is missing, as in an example of AWS' own", "volumes",
      "{\n\"Volumes\": [\n{\"KmsKeyId\": \"arn:aws:kms:x,\n\"VolumeType\": \"gp2\"}]}",
      "-2 f:3: column 14: not valid JSON: the text is not closed by '\"' on its line (after the "
      "key "
      "'KmsKeyId')\n",
      0 },
    { "describe-volume-status", "volumes", "{\"VolumeStatuses\":[]}",
      "-2 f:1: describe-volume-status says nothing of size, type or load; use describe-volumes\n",
      0 },
    { "--output table with headings", "volumes",
      TITLE
      "|     ID     | Size | AZ |\n+------------+------+----+\n"
      "|  vol-0aa1  |  30  | a  |\n|  vol-0bb2  |  None  | b  |\n+------------+------+----+\n",
      "volume vol-0aa1 - 30 - - - - - a - - @6\n"
      "volume vol-0bb2 - - - - - - - b - - @7\n"
      "rows 2 skipped 0\n",
      0 },
    { "--output table without headings", "volumes", TITLE "|  vol-0aa1  |  30  | a  |\n",
      "-2 f:4: no row of headings with a volume id; use --query with names, or --output json\n",
      0 },
    { "--output table of everything, which nests", "volumes", TITLE "||  Attachments  ||\n",
      "-2 f:4: nested tables are not read; use --query or --output json\n", 0 },
    { "--output table with a row that is short", "volumes",
      TITLE "| ID | Size | AZ |\n| vol-0aa1 | 30 |\n", "-2 f:5: 2 cells where the headings are 3\n",
      0 },
    { "--output table with a size that is none", "volumes",
      TITLE "| ID | Size |\n| vol-0aa1 | big |\n", "-2 f:5: bad number 'big'\n", 0 },
    { "a modification in flight: both sides matter", "modifications",
      "{\"VolumesModifications\":[{\"VolumeId\":\"vol-0aa1\",\"ModificationState\":\"optimizing\","
      "\"OriginalVolumeType\":\"gp2\",\"OriginalSize\":8,\"OriginalIops\":100,\"TargetVolumeType\":"
      "\"gp3\",\"TargetSize\":64,\"TargetIops\":3000,\"TargetThroughput\":125,\"Progress\":99,"
      "\"StartTime\":\"2026-03-02T10:00:00Z\"}]}",
      "modification vol-0aa1 optimizing gp2 8 100 - -> gp3 64 3000 125 99% 2026-03-02T10:00:00Z -\n"
      "rows 1 skipped 0\n",
      0 },
    { "modify-volume answers with one object", "modifications",
      "{\"VolumeModification\":{\"VolumeId\":\" vol-0aa1\",\"ModificationState\":\"modifying\","
      "\"TargetSize\":10,\"Progress\":0}}",
      "modification vol-0aa1 modifying - - - - -> - 10 - - 0% - -\nrows 1 skipped 0\n", 0 },
    { "a modification of nothing", "modifications", "{\"VolumesModifications\":[{\"Progress\":1}]}",
      "-2 f:1: a modification without VolumeId\n", 0 },
    { "instances and what hangs on them", "instances",
      "{\"Reservations\":[{\"Instances\":[{\"InstanceId\":\"i-0cc3\",\"InstanceType\":\"r5."
      "8xlarge\","
      "\"EbsOptimized\":true,\"Monitoring\":{\"State\":\"enabled\"},\"State\":{\"Name\":"
      "\"running\"},\"Placement\":{\"AvailabilityZone\":"
      "\"eu-west-1a\"},\"CpuOptions\":{\"CoreCount\":16,\"ThreadsPerCore\":2},"
      "\"BlockDeviceMappings\":"
      "[{\"DeviceName\":\"/dev/sda1\",\"Ebs\":{\"VolumeId\":\"vol-0aa1\",\"Status\":\"attached\"}},"
      "{\"DeviceName\":\"/dev/sdb\"}]}]}]}",
      "instances instance_id=i-0cc3 instance_type=r5.8xlarge state=running zone=eu-west-1a "
      "ebs_optimized=yes monitoring=enabled cores=16 threads_per_core=2\n"
      "block_devices instance_id=i-0cc3 device=/dev/sda1 volume_id=vol-0aa1 state=attached\n"
      "rows 2 skipped 0\n",
      0 },
    { "--query 'Reservations[*].Instances[]'", "instances",
      "[{\"InstanceId\":\"i-0cc3\",\"InstanceType\":\"r5.large\"}]",
      "instances instance_id=i-0cc3 instance_type=r5.large ebs_optimized=no\nrows 1 skipped 0\n",
      0 },
    { "limits of instance types are decimal MB/s; unknown is left out", "instance_types",
      "{\"InstanceTypes\":[{\"InstanceType\":\"r6i.large\",\"Hypervisor\":\"nitro\",\"VCpuInfo\":"
      "{\"DefaultVCpus\":2},\"MemoryInfo\":{\"SizeInMiB\":16384},\"EbsInfo\":{"
      "\"EbsOptimizedSupport\":"
      "\"default\",\"EbsOptimizedInfo\":{\"BaselineIops\":3600,\"MaximumIops\":40000,"
      "\"BaselineThroughputInMBps\":81.25,\"MaximumThroughputInMBps\":1250.0},"
      "\"MaximumEbsAttachments\":27,\"EbsCards\":[{\"EbsCardIndex\":0,\"MaximumIops\":1},"
      "{\"EbsCardIndex\":1,\"MaximumIops\":2}]}},\n"
      "{\"InstanceType\":\"t2.micro\",\"EbsInfo\":{\"EbsOptimizedSupport\":\"unsupported\"}}]}",
      "instance_types instance_type=r6i.large vcpus=2 memory_mib=16384 hypervisor=nitro "
      "ebs_optimized_support=default baseline_throughput_mb_s=81.25 baseline_iops=3600 "
      "maximum_throughput_mb_s=1250 maximum_iops=40000 maximum_ebs_attachments=27\n"
      "ebs_cards instance_type=r6i.large ebs_card=0 maximum_iops=1\n"
      "ebs_cards instance_type=r6i.large ebs_card=1 maximum_iops=2\n"
      "instance_types instance_type=t2.micro ebs_optimized_support=unsupported\n"
      "rows 4 skipped 0\n",
      0 },
};

static void mangle(void **state)
{
    (void)state;
    mangle_log(&cases[1]);
    mangle_log(&cases[4]);
    mangle_log(&cases[13]);
    mangle_log(&cases[18]);
    mangle_log(&cases[21]);
    mangle_log(&cases[23]);
}

int main(void)
{
    const struct CMUnitTest more[] = { cmocka_unit_test(mangle) };
    return run_log_cases(cases, N(cases), more, N(more));
}
