/* data/fetch/xml_json.h - a reply of EC2 (XML) as the JSON that `aws ec2 describe-...` prints.
 *
 * The same parsers then read both.  Only the elements of a table are carried over, under the name
 * that the CLI gives them: what is not in it (user data, addresses) never leaves the reply.
 * Documents with a DTD are refused, so nothing expands; libxml2 bounds the depth. */
#ifndef DATA_FETCH_XML_JSON_H
#define DATA_FETCH_XML_JSON_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/core/span.h"

enum xml_kind { XML_TEXT, XML_NUMBER, XML_YES_NO, XML_OBJECT, XML_LIST /* of <item> */ };

struct xml_name {
    const char *xml, *json;
    enum xml_kind kind;
};

struct xml_names {
    const struct xml_name *at;
    size_t n;
    const char *root; /* "DescribeVolumesResponse" */
};

/* *out_json lives in a, *out_token too: the text of <nextToken>, empty on the last page. */
int xml_to_json(struct span xml, const struct xml_names *names, struct arena *a,
                struct span *out_json, struct span *out_token, struct err *e);

#endif
