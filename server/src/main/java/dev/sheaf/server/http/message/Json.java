package dev.sheaf.server.http.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.bundle.TagStatus;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The JSON of requests and answers: absent members are left out, times are RFC 3339 in UTC, duplicate members and
/// trailing text are refused, nesting is limited. Thread-safe.
public final class Json {
    private static final int MAX_DEPTH = 64;
    private static final int MAX_STRING = 96 << 20;
    private static final int PIECE = 4 << 10; // in characters

    private static final int MAX_VALUES = 2_000_000; // with member names and closing brackets
    private static final int MAX_VALUES_OF_SMALL = 200_000;
    private static final int SMALL = 1 << 20;

    private static final int BYTES_OF_OBJECT = 150;
    private static final int BYTES_OF_ARRAY = 80;
    private static final int BYTES_OF_VALUE = 70; // a member has a colon and a comma

    private static final JsonMapper MAPPER = mapper(MAX_VALUES);
    private static final JsonMapper SMALL_ONES = mapper(MAX_VALUES_OF_SMALL);
    private static final JsonMapper CHECKER = mapper(Long.MAX_VALUE); // stores nothing, so needs no limit

    private static JsonMapper mapper(long maxValues) {
        var constraints = StreamReadConstraints.builder()
                .maxNestingDepth(MAX_DEPTH)
                .maxStringLength(MAX_STRING)
                .maxTokenCount(maxValues)
                .build();
        return JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(constraints)
                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        .build())
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .changeDefaultPropertyInclusion(value -> value.withValueInclusion(JsonInclude.Include.NON_NULL))
                .addMixIn(Page.Meta.class, EveryMember.class)
                .addMixIn(TagStatus.class, Protectable.class)
                .build();
    }

    static final String TYPE = "application/json";

    private Json() {}

    /// Requires a JSON content type. Merge patches and vendor types of JSON count as JSON; other patches (RFC
    /// 6902) do not.
    ///
    /// @throws dev.sheaf.model.ProblemException unsupported-media-type
    static void require(String type) {
        String bare = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        boolean patch = bare.contains("patch") && !bare.equals("application/merge-patch+json");
        if (patch || !bare.equals(TYPE) && !bare.endsWith("+json")) {
            throw new Problem.UnsupportedMediaType("Content-Type", type, TYPE).raise();
        }
    }

    @JsonInclude(JsonInclude.Include.ALWAYS)
    private interface EveryMember {}

    private interface Protectable {
        @JsonProperty("protected")
        boolean isProtected();
    }

    /// JSON that is already written.
    public static final class Written {
        private final byte[] bytes;
        private final String etag;

        public Written(byte[] bytes) {
            this(bytes, "");
        }

        /// @param etag the entity tag of the bytes; empty if it is not known
        public Written(byte[] bytes, String etag) {
            this.bytes = bytes;
            this.etag = etag;
        }

        public int length() {
            return bytes.length;
        }

        public Optional<String> etag() {
            return etag.isEmpty() ? Optional.empty() : Optional.of(etag);
        }
    }

    public static byte[] write(Object value) {
        return value instanceof Written written ? written.bytes : MAPPER.writeValueAsBytes(value);
    }

    /// Returns JSON for people to read, with one line per member.
    public static String lines(Object value) {
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(MAPPER.readTree(write(value)));
    }

    /// @throws dev.sheaf.model.ProblemException bad-request if the bytes are not a JSON document
    public static JsonNode read(byte[] bytes) {
        if (isMarkedOrWide(bytes) || !isUtf8(bytes)) {
            throw new Problem.BadRequest("the body must be JSON in UTF-8, without a byte order mark").raise();
        }
        try {
            JsonNode node = (bytes.length <= SMALL ? SMALL_ONES : MAPPER).readTree(bytes);
            if (node != null && !node.isMissingNode()) {
                return node;
            }
        } catch (StreamConstraintsException e) {
            throw new Problem.BadRequest("the body is nested deeper than " + MAX_DEPTH
                            + " levels, or has too many values; send less at a time")
                    .raise();
        } catch (JacksonException e) {
            var place = e.getLocation();
            String at = place == null ? "" : " at line " + place.getLineNr() + ", column " + place.getColumnNr();
            throw new Problem.BadRequest("the body is not valid JSON" + at).raise();
        }
        throw new Problem.BadRequest("the body is empty; send a JSON document").raise();
    }

    /// Returns the bytes that the parsed form of a document takes in addition to its texts, at most about. Counts the
    /// brackets, commas and colons outside of strings; the bytes need not be valid JSON.
    static long bytesOfForm(byte[] bytes) {
        long taken = 0;
        boolean isText = false;
        for (int i = 0; i < bytes.length; i++) {
            switch (bytes[i]) {
                case '"' -> isText = !isText;
                case '\\' -> i += isText ? 1 : 0;
                case '{' -> taken += isText ? 0 : BYTES_OF_OBJECT;
                case '[' -> taken += isText ? 0 : BYTES_OF_ARRAY;
                case ':', ',' -> taken += isText ? 0 : BYTES_OF_VALUE;
                default -> {
                    // a part of a value
                }
            }
        }
        return taken;
    }

    /// Returns whether the bytes are one JSON document as [#read] accepts it. Does not keep it in memory.
    public static boolean isDocument(byte[] bytes) {
        try (var parser = CHECKER.createParser(bytes)) {
            if (parser.nextToken() == null) {
                return false;
            }
            parser.skipChildren();
            return parser.nextToken() == null;
        } catch (JacksonException e) {
            return false;
        }
    }

    /// Detects UTF-16, UTF-32, and byte order marks. The library would accept them, but other readers would not
    /// (RFC 8259, section 8.1). A document begins with an ASCII character and contains no zero byte.
    private static boolean isMarkedOrWide(byte[] bytes) {
        return bytes.length > 1 && (bytes[0] <= 0 || bytes[1] == 0);
    }

    /// Returns whether the bytes are valid UTF-8. The library would accept some invalid forms that other
    /// readers refuse, such as a slash in two bytes (RFC 3629, section 3). Does not keep the text in memory.
    private static boolean isUtf8(byte[] bytes) {
        var decoder = StandardCharsets.UTF_8.newDecoder();
        var in = ByteBuffer.wrap(bytes);
        var out = CharBuffer.allocate(Math.min(bytes.length + 1, PIECE));
        CoderResult result;
        do {
            out.clear();
            result = decoder.decode(in, out, true);
        } while (result.isOverflow());
        return !result.isError();
    }
}
