package dev.sheaf.server.testing.contract;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Makes every kind of wrong body out of a good one and the schema of the request: members that are missing, null,
/// of every other type, too long, not of their form, in arrays too. What is known to be wrong is known by its
/// place.
public final class BadBodies {
    /// A body that must be refused with 422, and the pointers of all that is wrong with it.
    public record Bad(String what, String json, Set<String> pointers) {
        @Override
        public String toString() {
            return what;
        }
    }

    // Escapes what is not ASCII: half a surrogate pair has no UTF-8.
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String NO_FORM = "no such & thing";
    private static final List<String> NO_INTEGERS = List.of("-1", "1.5", "9223372036854775808", "1e400", "\"5\"");
    private static final Map<String, JsonNode> OF_TYPES = ofTypes();

    private final List<Bad> found = new ArrayList<>();
    private final Map<String, Map<String, JsonNode>> wrong = new LinkedHashMap<>();
    private final ObjectNode good;

    private BadBodies(ObjectNode good) {
        this.good = good;
    }

    /// @param schema as [OpenApi#strict] makes it
    /// @param good with as many members as can stand together
    public static List<Bad> of(JsonNode schema, JsonNode good) {
        var bodies = new BadBodies((ObjectNode) good);
        bodies.object(schema, "");
        bodies.allAtOnce(schema);
        return bodies.found;
    }

    private static Map<String, JsonNode> ofTypes() {
        var types = new LinkedHashMap<String, JsonNode>();
        types.put("null", NODES.nullNode());
        types.put("boolean", NODES.booleanNode(true));
        types.put("integer", NODES.numberNode(7));
        types.put("number", NODES.numberNode(1.5));
        types.put("string", NODES.stringNode("text"));
        types.put("array", NODES.arrayNode().add(7));
        types.put("object", NODES.objectNode().put("a", 7));
        return types;
    }

    private void object(JsonNode schema, String pointer) {
        schema.path("required").forEach(name -> {
            var body = good.deepCopy();
            ((ObjectNode) body.at(pointer)).remove(name.stringValue());
            add(pointer + "/" + name.stringValue() + " absent", body, pointer + "/" + name.stringValue());
        });
        schema.path("properties")
                .properties()
                .forEach(member -> member(member.getValue(), pointer + "/" + member.getKey()));
    }

    /// @param pointer of a member of an object, or of the first entry of an array
    private void member(JsonNode schema, String pointer) {
        var types = types(schema);
        OF_TYPES.forEach((type, value) -> {
            boolean taken = types.contains(type) || (type.equals("integer") && types.contains("number"));
            if (!taken) {
                put(pointer, type, value);
                if (!type.equals("null") && !pointer.endsWith("/0")) {
                    wrong.computeIfAbsent(parent(pointer), object -> new LinkedHashMap<>())
                            .putIfAbsent(pointer, value);
                }
            }
        });
        if (types.contains("string")) {
            text(schema, pointer);
        }
        if (types.contains("integer")) {
            NO_INTEGERS.forEach(text -> put(pointer, text, JSON.readTree(text)));
        }
        if (types.contains("array")) {
            array(schema, pointer);
        }
        if (good.at(pointer).isObject()) {
            object(inner(schema, "properties"), pointer);
        }
    }

    private void text(JsonNode schema, String pointer) {
        JsonNode text = inner(schema, "maxLength");
        boolean hasForm = List.of("pattern", "enum", "format").stream()
                .anyMatch(form -> inner(schema, form).has(form));
        if (hasForm) {
            put(pointer, "no form", NODES.stringNode(NO_FORM));
        }
        if (text.has("maxLength")) {
            put(
                    pointer,
                    "too long",
                    NODES.stringNode("a".repeat(text.get("maxLength").intValue() + 1)));
        }
        if (inner(schema, "minLength").path("minLength").asInt(0) > 0) {
            put(pointer, "empty", NODES.stringNode(""));
            put(pointer, "blank", NODES.stringNode(" \t "));
        }
        put(pointer, "half a surrogate pair", NODES.stringNode("a\ud800"));
        put(pointer, "a pair the wrong way round", NODES.stringNode("\udc00\ud800"));
        if (!pointer.endsWith("/contentText") // where it is content, and only remarked upon
                && !types(schema).contains("object")) { // where it is any JSON, which keeps it escaped
            put(pointer, "NUL", NODES.stringNode("a\0b"));
        }
    }

    private void array(JsonNode schema, String pointer) {
        JsonNode array = inner(schema, "items");
        if (array.path("minItems").asInt(0) > 0) {
            put(pointer, "empty", NODES.arrayNode());
        }
        if (!(good.at(pointer) instanceof ArrayNode entries)) {
            return;
        }
        if (array.path("uniqueItems").asBoolean(false)) {
            put(pointer, "twice", NODES.arrayNode().add(entries.get(0)).add(entries.get(0)));
        }
        if (array.has("maxItems")) {
            var many = NODES.arrayNode();
            for (int i = 0; i <= array.get("maxItems").intValue(); i++) {
                many.add(entries.get(0));
            }
            put(pointer, "too many", many);
        }
        member(array.get("items"), pointer + "/0");
    }

    private void put(String pointer, String what, JsonNode value) {
        var body = good.deepCopy();
        set(body, pointer, value);
        add(pointer + ": " + what, body, pointer);
    }

    private static void set(ObjectNode body, String pointer, JsonNode value) {
        int slash = pointer.lastIndexOf('/');
        String name = pointer.substring(slash + 1);
        switch (body.at(parent(pointer))) {
            case ArrayNode array -> array.set(Integer.parseInt(name), value);
            case ObjectNode object -> object.set(name, value);
            default -> throw new AssertionError("the good body has nothing around " + pointer);
        }
    }

    private static String parent(String pointer) {
        return pointer.substring(0, pointer.lastIndexOf('/'));
    }

    /// Every member of an object wrong, and every entry of the arrays of texts: all are told, not the first alone.
    private void allAtOnce(JsonNode schema) {
        wrong.forEach((object, members) -> {
            var body = good.deepCopy();
            members.forEach((pointer, value) -> set(body, pointer, value));
            add(object + " every member of another type", body, members.keySet().toArray(String[]::new));
        });
        var none = NODES.objectNode();
        var required = new ArrayList<String>();
        schema.path("required").forEach(name -> required.add("/" + name.stringValue()));
        if (!required.isEmpty()) {
            add("no member", none, required.toArray(String[]::new));
        }
        good.properties().stream().filter(member -> isTexts(member.getValue())).forEach(member -> {
            String pointer = "/" + member.getKey();
            var mixed = good.deepCopy();
            mixed.putArray(member.getKey()).add(7).add(NO_FORM + "\u0001").addNull();
            boolean isAny = schema.at("/properties" + pointer + "/items/x-sheaf-any-text")
                    .asBoolean(false);
            String second = isAny ? pointer + "/0" : pointer + "/1";
            add(pointer + ": three wrong entries", mixed, pointer + "/0", second, pointer + "/2");
        });
    }

    private static boolean isTexts(JsonNode node) {
        return node.isArray() && node.path(0).isString();
    }

    private void add(String what, ObjectNode body, String... pointers) {
        found.add(new Bad(what, JSON.writeValueAsString(body), Set.copyOf(List.of(pointers))));
    }

    /// The schema, or that branch of it, which has the keyword.
    private static JsonNode inner(JsonNode schema, String keyword) {
        if (schema.has(keyword)) {
            return schema;
        }
        for (String list : List.of("oneOf", "anyOf")) {
            for (JsonNode branch : schema.path(list)) {
                if (branch.has(keyword)) {
                    return branch;
                }
            }
        }
        return schema;
    }

    private static Set<String> types(JsonNode schema) {
        var types = new HashSet<String>();
        JsonNode type = schema.path("type");
        if (type.isString()) {
            types.add(type.stringValue());
        }
        type.forEach(one -> types.add(one.stringValue()));
        for (String list : List.of("oneOf", "anyOf")) {
            schema.path(list).forEach(branch -> types.addAll(types(branch)));
        }
        if (types.isEmpty()) {
            throw new AssertionError("a schema without a type: " + schema);
        }
        return types;
    }
}
