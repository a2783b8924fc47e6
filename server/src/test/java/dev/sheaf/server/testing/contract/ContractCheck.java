package dev.sheaf.server.testing.contract;

import com.github.luben.zstd.ZstdInputStream;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Compares what a server answered with docs/openapi.yaml: the status is described, the body has a described media
/// type and, if that is JSON, the schema's members and no other, and required headers are there. Every answer that
/// a test reads as a [Reply] goes through here. Thread-safe; a schema is compiled once a JVM.
public final class ContractCheck {
    private static final int MAX_PROBLEM = 4_096; // bytes
    private static final int MAX_SHOWN = 8;
    private static final String PROBLEM = "application/problem+json";

    private static final Map<String, String> EVERYWHERE =
            Map.of("X-Request-Id", "[!-~]+", "X-Trace-Id", "[0-9a-f]{32}", "Cache-Control", ".+");
    private static final Map<Integer, String> BESIDE =
            Map.of(401, "WWW-Authenticate", 405, "Allow", 429, "Retry-After", 503, "Retry-After");

    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .build();
    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemaRegistryConfig(
                    SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build()));
    private static final Map<JsonNode, Schema> SCHEMAS = new ConcurrentHashMap<>();

    private final String what;
    private final List<String> violations = new ArrayList<>();

    private ContractCheck(String what) {
        this.what = what;
    }

    /// @throws AssertionError that names route, status and place of all that is not as described
    public static void check(HttpResponse<byte[]> response) {
        check(
                response.request().method(),
                response.uri().getRawPath(),
                response.statusCode(),
                response.headers(),
                response.body());
    }

    /// The same for an answer that came by other means.
    public static void check(String method, String rawPath, int status, HttpHeaders headers, byte[] body) {
        boolean isPreflight = method.equals("OPTIONS") && status == 204; // Fetch Standard, no operation of ours
        if (!isOfApi(rawPath) || isPreflight || isOfNginx(status, headers)) {
            return;
        }
        var document = OpenApi.document();
        var operation = document.find(method, rawPath);
        var check = new ContractCheck((operation == null ? method + " " + rawPath : operation) + " " + status);
        JsonNode described = operation == null || isOfWire(status, headers, body)
                ? problem(document, rawPath, status)
                : document.response(operation, status);
        if (described == null) {
            check.violation("", "this status is not described");
        } else {
            check.answer(described, method, status, headers, body);
        }
        check.finish();
    }

    /// The registry's half speaks OCI, whose own tests are strict.
    private static boolean isOfApi(String rawPath) {
        return rawPath.equals("/v1")
                || rawPath.startsWith("/v1/")
                || rawPath.startsWith("/health")
                || rawPath.startsWith("/problems")
                || rawPath.startsWith("/.well-known/");
    }

    /// Whether nginx answered by itself because no server behind it did.
    private static boolean isOfNginx(int status, HttpHeaders headers) {
        return status == 502
                && headers.firstValue("Server").orElse("").startsWith("nginx")
                && headers.firstValue("X-Request-Id").isEmpty();
    }

    /// Whether it is the refusal of a request that no operation gets to see: see "Requests that cannot be read".
    private static boolean isOfWire(int status, HttpHeaders headers, byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        return switch (status) {
            case 414, 431, 501, 505 -> true;
            case 400 ->
                headers.firstValue("Connection").filter("close"::equals).isPresent()
                        && (body.length == 0
                                || text.contains("not a valid HTTP/1.1 request")
                                || text.contains("the chunked body is malformed"));
            case 415 -> body.length == 0 || text.contains("without Content-Encoding");
            default -> false;
        };
    }

    /// What no operation answers: a path or a method that there is not.
    private static @Nullable JsonNode problem(OpenApi document, String rawPath, int status) {
        String name = rawPath.startsWith("/v1/oauth/") ? "OAuthError" : "Problem";
        return status >= 400 ? document.root().at("/components/responses/" + name) : null;
    }

    private void answer(JsonNode described, String method, int status, HttpHeaders headers, byte[] body) {
        described.path("headers").properties().forEach(header -> header(header.getKey(), header.getValue(), headers));
        EVERYWHERE.forEach((name, pattern) -> {
            if (!headers.firstValue(name).orElse("").matches(pattern)) {
                violation("", "the header " + name + " is missing or malformed");
            }
        });
        if (BESIDE.containsKey(status) && headers.firstValue(BESIDE.get(status)).isEmpty()) {
            violation("", "the header " + BESIDE.get(status) + " is missing");
        }
        JsonNode content = described.path("content");
        if (content.isEmpty() || status == 304 || method.equals("HEAD")) {
            if (body.length > 0) {
                violation("", "has a body, and none is described");
            }
            return;
        }
        String sent = headers.firstValue("Content-Type").orElse("none");
        String type = sent.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        JsonNode media = content.get(type);
        if (media == null) {
            violation("", "Content-Type " + sent + " is not described");
        } else if (type.endsWith("json")) {
            json(media, status, headers, body, type);
        }
    }

    private void header(String name, JsonNode reference, HttpHeaders headers) {
        JsonNode described = OpenApi.document().resolved(reference);
        var values = headers.allValues(name);
        if (values.isEmpty() && described.path("required").asBoolean(false)) {
            violation("", "the header " + name + " is missing");
        }
        for (String value : values) {
            boolean number =
                    described.at("/schema/type").asString("").equals("integer") && value.matches("[0-9]{1,18}");
            JsonNode node = number
                    ? JSON.getNodeFactory().numberNode(Long.parseLong(value))
                    : JSON.getNodeFactory().stringNode(value);
            validate(described.get("schema"), node, "header " + name + " ");
        }
    }

    private void json(JsonNode media, int status, HttpHeaders headers, byte[] body, String type) {
        byte[] plain = decoded(headers.firstValue("Content-Encoding").orElse(""), body);
        JsonNode document;
        try {
            document = JSON.readTree(plain);
        } catch (JacksonException e) {
            violation("", "the body is no JSON: " + e.getOriginalMessage());
            return;
        }
        validate(media.get("schema"), document, "");
        if (type.equals(PROBLEM)) {
            problem(document, status, plain.length);
        }
        if (document.at("/meta/hasMore").asBoolean(false)
                && headers.firstValue("Link").isEmpty()) {
            violation("/meta/hasMore", "says that there is more, and no Link leads there");
        }
    }

    /// What a schema cannot say of a problem (contract 1.2).
    private void problem(JsonNode document, int status, int length) {
        String type = document.path("type").asString("");
        if (document.path("status").asInt(0) != status) {
            violation("/status", "is not the status of the answer");
        }
        if (!type.equals("about:blank")
                && !type.endsWith("/problems/" + document.path("code").asString(""))) {
            violation("/code", "is not the last part of the type " + type);
        }
        if (length >= MAX_PROBLEM) {
            violation("", "has " + length + " bytes; a problem has less than " + MAX_PROBLEM);
        }
    }

    private static byte[] decoded(String coding, byte[] body) {
        try (InputStream in = switch (coding) {
            case "gzip" -> new GZIPInputStream(new ByteArrayInputStream(body));
            case "zstd" -> new ZstdInputStream(new ByteArrayInputStream(body));
            default -> new ByteArrayInputStream(body);
        }) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void validate(JsonNode schema, JsonNode document, String prefix) {
        faults(schema, document).forEach(fault -> violation(prefix + fault, ""));
    }

    /// What is wrong with a document, each with its pointer.
    ///
    /// @param schema as it stands in docs/openapi.yaml
    public static List<String> faults(JsonNode schema, JsonNode document) {
        return SCHEMAS
                .computeIfAbsent(
                        schema, s -> REGISTRY.getSchema(OpenApi.document().strict(s)))
                .validate(document)
                .stream()
                .map(error -> error.getInstanceLocation() + ": " + error.getMessage())
                .toList();
    }

    private void violation(String pointer, String text) {
        violations.add(pointer.isEmpty() || text.isEmpty() ? pointer + text : pointer + ": " + text);
    }

    private void finish() {
        if (!violations.isEmpty()) {
            throw new AssertionError(what + " is not as docs/openapi.yaml says:\n  "
                    + String.join("\n  ", violations.subList(0, Math.min(violations.size(), MAX_SHOWN))));
        }
    }
}
