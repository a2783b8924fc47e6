package dev.sheaf.client.io;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The text of a JSON file that belongs to another program, such as `.mcp.json`. Adds, replaces or removes one
/// entry of one of its members, and keeps every other byte: the order, the indentation, and the comments, which
/// some programs allow. Immutable.
///
/// @param text the text of a JSON object
public record JsonText(String text) {
    private static final String USUAL = "  ";
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS, JsonReadFeature.ALLOW_TRAILING_COMMA)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /// @throws IllegalArgumentException if it is not a JSON object, or has a duplicate member
    public JsonText {
        try {
            JsonNode document = MAPPER.readTree(text);
            if (document == null || !document.isObject()) {
                throw new IllegalArgumentException("it is not a JSON object");
            }
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    (e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr() + ": ")
                            + e.getOriginalMessage(),
                    e);
        }
    }

    /// A member of an object, by its positions in the text.
    private record Member(String name, int key, int value, int end) {}

    /// An object: the positions of its braces, and its members.
    private record Body(int open, int close, List<Member> members) {
        Optional<Member> find(String name) {
            return members.stream().filter(one -> one.name().equals(name)).findFirst();
        }
    }

    /// Returns the entry of a member; empty if it does not exist.
    ///
    /// @throws IllegalArgumentException if the member is not an object
    public Optional<JsonNode> entry(String member, String name) {
        var entries = MAPPER.readTree(text).path(member);
        if (!entries.isMissingNode() && !entries.isObject()) {
            throw new IllegalArgumentException("its member \"" + member + "\" is not an object");
        }
        return Optional.ofNullable(entries.get(name));
    }

    /// Returns the text with this entry; a new entry is added after the others.
    public JsonText with(String member, String name, JsonNode value) {
        var root = body(0);
        var entries = root.find(member).map(Member::value).map(this::body).orElse(null);
        if (entries == null) {
            return insert(root, member, MAPPER.createObjectNode().set(name, value));
        }
        var there = entries.find(name).orElse(null);
        if (there == null) {
            return insert(entries, name, value);
        }
        return replace(there.value(), there.end(), print(value, indent(there.key())));
    }

    /// Returns the text without this entry. The member remains, even if it is empty.
    public JsonText without(String member, String name) {
        var entries = root(member);
        var members = entries == null ? List.<Member>of() : entries.members();
        for (int i = 0; entries != null && i < members.size(); i++) {
            var one = members.get(i);
            if (one.name().equals(name)) {
                int before = i == 0 ? entries.open() + 1 : members.get(i - 1).end();
                int after = i + 1 < members.size() ? members.get(i + 1).key() : entries.close();
                return without(one, before, after, i == 0);
            }
        }
        return this;
    }

    private @Nullable Body root(String member) {
        return body(0).find(member).map(Member::value).map(this::body).orElse(null);
    }

    private JsonText without(Member one, int before, int after, boolean first) {
        int from = one.key();
        while (from > before && Character.isWhitespace(text.charAt(from - 1))) {
            from--;
        }
        int comma = comma(one.end(), after);
        if (comma >= 0) {
            return replace(from, comma + 1, "");
        }
        int last = first ? -1 : comma(before, from);
        if (last >= 0) {
            return new JsonText(text.substring(0, last) + text.substring(last + 1, from) + text.substring(one.end()));
        }
        boolean alone = text.substring(one.end(), after).isBlank();
        return replace(from, alone ? after : one.end(), "");
    }

    /// Returns the position of the first comma outside of comments; -1 if there is no comma.
    private int comma(int from, int to) {
        for (int at = from; at < to; at++) {
            if (text.startsWith("//", at)) {
                int end = text.indexOf('\n', at);
                at = end < 0 ? to : end;
            } else if (text.startsWith("/*", at)) {
                at = text.indexOf("*/", at + 2) + 1;
            } else if (text.charAt(at) == ',') {
                return at;
            }
        }
        return -1;
    }

    private JsonText replace(int from, int to, String other) {
        return new JsonText(text.substring(0, from) + other + text.substring(to));
    }

    /// Adds a member after the others, on its own line if they have their own lines.
    private JsonText insert(Body body, String name, JsonNode value) {
        String key = WireJson.text(name) + ": ";
        if (!body.members().isEmpty()) {
            String indent = indent(body.members().getFirst().key());
            int end = body.members().getLast().end();
            return replace(end, end, "," + (indent == null ? " " : eol() + indent) + key + print(value, indent));
        }
        String outer = text.substring(lineStart(body.open()), body.open());
        outer = outer.substring(0, outer.length() - outer.stripLeading().length());
        String indent = outer + unit();
        String member = eol() + indent + key + print(value, indent);
        boolean blank = text.substring(body.open() + 1, body.close()).isBlank();
        return blank
                ? replace(body.open() + 1, body.close(), member + eol() + outer)
                : replace(body.open() + 1, body.open() + 1, member);
    }

    /// Returns a value printed with this indentation, or in one line if the indentation is null.
    private String print(JsonNode value, @Nullable String indent) {
        if (indent == null || !value.isObject() || value.isEmpty()) {
            return value.isArray() ? "[" + String.join(", ", items(value)) + "]" : value.toString();
        }
        String inner = indent + unit();
        var lines = new ArrayList<String>();
        value.properties()
                .forEach(member ->
                        lines.add(inner + WireJson.text(member.getKey()) + ": " + print(member.getValue(), inner)));
        return "{" + eol() + String.join("," + eol(), lines) + eol() + indent + "}";
    }

    private static List<String> items(JsonNode array) {
        return array.valueStream().map(JsonNode::toString).toList();
    }

    private int lineStart(int at) {
        return text.lastIndexOf('\n', at - 1) + 1;
    }

    /// Returns the indentation before a position; null if something else is before it on its line, or it is on
    /// the first line.
    private @Nullable String indent(int at) {
        int start = lineStart(at);
        String before = text.substring(start, at);
        return start > 0 && before.isBlank() ? before : null;
    }

    /// Returns the indentation of one level.
    private String unit() {
        var first = body(0).members().stream().findFirst();
        String indent = first.map(member -> indent(member.key())).orElse(null);
        return indent == null || indent.isEmpty() ? USUAL : indent;
    }

    private String eol() {
        return text.contains("\r\n") ? "\r\n" : "\n";
    }

    /// Returns the object that begins at a position, or after white space and comments there.
    private Body body(int start) {
        try (JsonParser parser = MAPPER.createParser(text.substring(start))) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("the member for entries is not an object");
            }
            int open = start + offset(parser);
            var members = new ArrayList<Member>();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                int key = start + offset(parser);
                parser.nextToken();
                int value = start + offset(parser);
                parser.skipChildren();
                parser.finishToken();
                members.add(new Member(
                        name, key, value, start + (int) parser.currentLocation().getCharOffset()));
            }
            return new Body(open, start + offset(parser), members);
        }
    }

    private static int offset(JsonParser parser) {
        return (int) parser.currentTokenLocation().getCharOffset();
    }
}
