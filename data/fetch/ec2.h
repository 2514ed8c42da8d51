/* data/fetch/ec2.h - what EC2 describes, page by page, as the JSON that the parsers of
 * data/ingest/volumes read. */
#ifndef DATA_FETCH_EC2_H
#define DATA_FETCH_EC2_H

#include "data/fetch/aws_call.h"

enum ec2_list { EC2_VOLUMES, EC2_MODIFICATIONS, EC2_INSTANCES, EC2_INSTANCE_TYPES, EC2_LIST_COUNT };

/* The name of the format that reads it, "volumes". */
const char *ec2_format(enum ec2_list l);
/* "ec2:DescribeVolumes" */
const char *ec2_permission(enum ec2_list l);

/* One page: the XML of a reply as JSON, and the token of the next, empty on the last; both in a. */
int ec2_page(enum ec2_list l, struct span xml, struct arena *a, struct span *out_json,
             struct span *out_token, struct err *e);
/* All pages, JSON documents one after the other, in a.  *empty when nothing is described. */
int ec2_describe(struct aws_client *c, enum ec2_list l, struct arena *a, struct span *out_json,
                 bool *empty, struct err *e);

#endif
