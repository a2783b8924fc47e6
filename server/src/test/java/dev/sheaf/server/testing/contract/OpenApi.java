package dev.sheaf.server.testing.contract;

import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.http.routing.Router;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// docs/openapi.yaml as tests read it. Immutable, and read once a JVM.
public final class OpenApi {
    public static final Path FILE = Path.of("../docs/openapi.yaml");

    private static final class Holder {
        static final OpenApi ONLY = new OpenApi(read());
    }

    /// An operation of the document.
    ///
    /// @param path the template, as in the document
    public record Operation(RouteMethod method, String path, JsonNode node) {
        public String id() {
            return node.path("operationId").asString("");
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    private final JsonNode root;
    private final List<Operation> operations = new ArrayList<>();
    private final Router router;

    private OpenApi(JsonNode root) {
        this.root = root;
        root.get("paths").properties().forEach(path -> {
            for (var method : RouteMethod.values()) {
                JsonNode node = path.getValue().get(method.name().toLowerCase(Locale.ROOT));
                if (node != null) {
                    operations.add(new Operation(method, path.getKey(), node));
                }
            }
        });
        this.router = new Router(operations.stream()
                .map(operation ->
                        new Route(operation.method(), pattern(operation.path()), RoutePermission.NONE, call -> {
                            throw new IllegalStateException("only looked up");
                        }))
                .toList());
    }

    public static OpenApi document() {
        return Holder.ONLY;
    }

    private static JsonNode read() {
        try {
            return new YAMLMapper().readTree(Files.readString(FILE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The one parameter that takes slashes.
    private static String pattern(String template) {
        return template.replace("{path}", "{path...}");
    }

    public JsonNode root() {
        return root;
    }

    public List<Operation> operations() {
        return List.copyOf(operations);
    }

    public Operation operation(String id) {
        return operations.stream()
                .filter(operation -> operation.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("docs/openapi.yaml has no operation " + id));
    }

    /// The operation that a request means; null where the path or the method has none.
    public @Nullable Operation find(String method, String rawPath) {
        var match = router.find(rawPath);
        String name = method.equals("HEAD") ? "GET" : method;
        return match == null
                ? null
                : match.routes().values().stream()
                        .filter(route -> route.method().name().equals(name))
                        .map(route -> operations.stream()
                                .filter(operation -> operation.method() == route.method()
                                        && pattern(operation.path()).equals(route.pattern()))
                                .findFirst()
                                .orElseThrow())
                        .findFirst()
                        .orElse(null);
    }

    /// The description of an answer: of its status, else of any error; null where there is neither.
    public @Nullable JsonNode response(Operation operation, int status) {
        JsonNode responses = operation.node().get("responses");
        JsonNode exact = responses.get(Integer.toString(status));
        JsonNode found = exact == null && status >= 400 ? responses.get("default") : exact;
        return found == null ? null : resolved(found);
    }

    /// What the node is or points to.
    public JsonNode resolved(JsonNode node) {
        JsonNode now = node;
        while (now.has("$ref")) {
            String ref = now.get("$ref").stringValue();
            now = root.at(ref.substring(1));
            if (now.isMissingNode()) {
                throw new AssertionError("docs/openapi.yaml has nothing at " + ref);
            }
        }
        return now;
    }

    /// A schema without references and `allOf`, in which every object that does not say otherwise takes the
    /// described members and no other: clients may tolerate more, tests do not.
    public JsonNode strict(JsonNode schema) {
        var whole = merged(schema);
        for (String list : List.of("anyOf", "oneOf")) {
            if (whole.get(list) instanceof ArrayNode branches) {
                var strict = whole.putArray(list);
                List.copyOf(branches.values()).forEach(branch -> strict.add(strict(branch)));
            }
        }
        if (whole.get("properties") instanceof ObjectNode properties) {
            var strict = whole.putObject("properties");
            properties.properties().forEach(member -> strict.set(member.getKey(), strict(member.getValue())));
            if (!whole.has("additionalProperties")) {
                whole.put("additionalProperties", false);
            }
        }
        for (String one : List.of("items", "additionalProperties")) {
            if (whole.get(one) instanceof ObjectNode inner) {
                whole.set(one, strict(inner));
            }
        }
        return whole;
    }

    /// One object schema out of a reference, what stands beside it, and the parts of `allOf`.
    private ObjectNode merged(JsonNode schema) {
        var whole = JsonNodeFactory.instance.objectNode();
        if (schema.has("$ref")) {
            add(whole, merged(root.at(schema.get("$ref").stringValue().substring(1))));
        }
        schema.path("allOf").forEach(part -> add(whole, merged(part)));
        var own = ((ObjectNode) schema).deepCopy();
        own.remove(List.of("$ref", "allOf"));
        add(whole, own);
        return whole;
    }

    private static void add(ObjectNode whole, ObjectNode part) {
        part.properties().forEach(member -> {
            JsonNode there = whole.get(member.getKey());
            if (there instanceof ArrayNode array && member.getKey().equals("required")) {
                array.addAll((ArrayNode) member.getValue());
            } else if (there instanceof ObjectNode object && member.getKey().equals("properties")) {
                object.setAll((ObjectNode) member.getValue());
            } else {
                whole.set(member.getKey(), member.getValue().deepCopy());
            }
        });
    }
}
