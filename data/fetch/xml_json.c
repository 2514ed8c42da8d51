/* data/fetch/xml_json.c - see xml_json.h. */
#include "data/fetch/xml_json.h"

#include "data/fetch/json_reply.h"
#include "models/core/mem.h"

#include <cjson/cJSON.h>
#include <libxml/parser.h>
#include <limits.h>
#include <string.h>

/* The API's answers are four deep; libxml2 itself stops at 256. */
enum { DEPTH_MAX = 32 };

/* Tags and attributes, which libxml2 keeps at some 120 bytes each. */
enum { NODES_MAX = 4 * 1000 * 1000 };

struct converter {
    const struct xml_names *names;
    struct err *err;
};

static bool is_named(const xmlNode *node, const char *name)
{
    return strcmp((const char *)node->name, name) == 0;
}

static const struct xml_name *name_of(const struct xml_names *names, const xmlNode *node)
{
    for (size_t i = 0; i < names->n; i++)
        if (is_named(node, names->at[i].xml))
            return &names->at[i];
    return NULL;
}

/* The text of an element without children; empty for <x/>. */
static struct span text_of(const xmlNode *node)
{
    const xmlNode *child = node->children;
    return child && !child->next &&
                   (child->type == XML_TEXT_NODE || child->type == XML_CDATA_SECTION_NODE)
               ? span_of((const char *)child->content)
               : (struct span){ 0 };
}

static int take(struct converter *c, cJSON *parent, const char *key, cJSON *item)
{
    bool kept = item && (key ? cJSON_AddItemToObject(parent, key, item)
                             : cJSON_AddItemToArray(parent, item));
    if (kept)
        return 0;
    cJSON_Delete(item);
    return err_nomem(c->err);
}

static int add_leaf(struct converter *c, cJSON *parent, const struct xml_name *name,
                    const xmlNode *node)
{
    struct span text = text_of(node);
    if (name->kind == XML_TEXT)
        return take(c, parent, name->json, cJSON_CreateString(text.len ? text.ptr : ""));
    if (!text.len)
        return 0; /* <iops/>: not told */
    if (name->kind == XML_YES_NO)
        return take(c, parent, name->json, cJSON_CreateBool(span_is(text, "true")));
    double number;
    struct span rest = text;
    if (span_double(&rest, &number) || rest.len)
        return err_set(c->err, ERR_PARSE, "<%s>: '%.*s' is no number", name->xml, SPAN_ARG(text));
    return take(c, parent, name->json, cJSON_CreateNumber(number));
}

static int add_children(struct converter *c, cJSON *object, const xmlNode *node, int depth);

/* The <item>s of a list. */
static int add_items(struct converter *c, cJSON *list, const xmlNode *node, int depth)
{
    int rc = 0;
    for (const xmlNode *item = node->children; !rc && item; item = item->next) {
        if (item->type != XML_ELEMENT_NODE || !is_named(item, "item"))
            continue;
        cJSON *object = cJSON_CreateObject();
        rc = take(c, list, NULL, object);
        if (!rc)
            rc = add_children(c, object, item, depth + 1);
    }
    return rc;
}

static int add_children(struct converter *c, cJSON *object, const xmlNode *node, int depth)
{
    int rc = 0;
    if (depth > DEPTH_MAX)
        return err_set(c->err, ERR_LIMIT, "more than %d elements inside each other", DEPTH_MAX);
    for (const xmlNode *child = node->children; !rc && child; child = child->next) {
        const struct xml_name *name =
            child->type == XML_ELEMENT_NODE ? name_of(c->names, child) : NULL;
        if (!name || cJSON_HasObjectItem(object, name->json))
            continue;
        if (name->kind != XML_OBJECT && name->kind != XML_LIST) {
            rc = add_leaf(c, object, name, child);
            continue;
        }
        bool list = name->kind == XML_LIST;
        cJSON *inner = list ? cJSON_CreateArray() : cJSON_CreateObject();
        rc = take(c, object, name->json, inner);
        if (!rc)
            rc = list ? add_items(c, inner, child, depth + 1)
                      : add_children(c, inner, child, depth + 1);
    }
    return rc;
}

static int find_token(const xmlNode *root, struct arena *a, struct span *out, struct err *e)
{
    *out = (struct span){ 0 };
    for (const xmlNode *child = root->children; child; child = child->next) {
        if (child->type != XML_ELEMENT_NODE || !is_named(child, "nextToken"))
            continue;
        struct span text = text_of(child);
        char *copy = text.len ? arena_strndup(a, text.ptr, text.len) : NULL;
        if (text.len && !copy)
            return err_nomem(e);
        *out = (struct span){ copy, text.len };
    }
    return 0;
}

static int convert(const xmlDoc *doc, const struct xml_names *names, struct arena *a,
                   struct span *out_json, struct span *out_token, struct err *e)
{
    struct converter c = { names, e };
    const xmlNode *root = doc->children;
    if (doc->intSubset || doc->extSubset)
        return err_set(
            e, ERR_NET_FINAL,
            "the reply has a document type, as no answer of EC2 has: refused. Does something "
            "else answer there, a proxy or what --endpoint-url names?");
    if (!root || root->type != XML_ELEMENT_NODE || !is_named(root, names->root))
        return err_set(e, ERR_PARSE, "the reply is <%.60s>, expected <%s>",
                       root && root->name ? (const char *)root->name : "nothing", names->root);
    cJSON *tree = cJSON_CreateObject();
    int rc = tree ? add_children(&c, tree, root, 0) : err_nomem(e);
    struct span token, json;
    if (!rc)
        rc = find_token(root, a, &token, e);
    if (!rc)
        rc = json_reply_print(tree, a, &json, e);
    cJSON_Delete(tree);
    if (rc)
        return rc;
    *out_json = json;
    *out_token = token;
    return 0;
}

/* What libxml2 says goes here, not to stderr: the line of the first fault, or that memory is out.
 */
struct faults {
    bool no_memory;
    int line;
};

static void note_fault(void *ctx, xmlErrorPtr fault)
{
    struct faults *f = ctx;
    f->no_memory = f->no_memory || fault->code == XML_ERR_NO_MEMORY;
    if (!f->line)
        f->line = fault->line;
}

static xmlDoc *parse(struct span xml, struct faults *f)
{
    xmlSetStructuredErrorFunc(f, note_fault); /* of this thread */
    xmlParserCtxt *parser = xmlNewParserCtxt();
    xmlDoc *doc = parser
                      ? xmlCtxtReadMemory(parser, xml.len ? xml.ptr : "", (int)xml.len, NULL, NULL,
                                          XML_PARSE_NONET | XML_PARSE_NOBLANKS | XML_PARSE_NOCDATA)
                      : NULL;
    f->no_memory = f->no_memory || !parser;
    xmlFreeParserCtxt(parser);
    xmlSetStructuredErrorFunc(NULL, NULL);
    return doc;
}

static bool has_too_many_nodes(struct span xml)
{
    size_t n = 0;
    for (size_t i = 0; i < xml.len; i++)
        n += xml.ptr[i] == '<' || xml.ptr[i] == '=';
    return n > NODES_MAX;
}

int xml_to_json(struct span xml, const struct xml_names *names, struct arena *a,
                struct span *out_json, struct span *out_token, struct err *e)
{
    struct faults faults = { 0 };
    if (xml.len > INT_MAX)
        return err_set(e, ERR_LIMIT, "a reply of more than 2 GiB");
    if (has_too_many_nodes(xml))
        return err_set(e, ERR_LIMIT, "the reply has more than %d tags", NODES_MAX);
    xmlDoc *doc = parse(xml, &faults);
    int rc;
    if (faults.no_memory)
        rc = err_nomem(e);
    else if (!doc)
        rc = err_set(e, ERR_PARSE, "the reply is no whole XML (line %d)", faults.line);
    else
        rc = convert(doc, names, a, out_json, out_token, e);
    xmlFreeDoc(doc);
    return rc;
}
