package dev.sheaf.engine.input;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.text.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Reads the members of a JSON object. Collects every error, each with its RFC 6901 pointer, instead of
/// stopping at the first. A member with an error reads as empty. [#finish] then refuses the whole object, so
/// such a value is never used.
public final class RequestFields {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final int MAX_SHOWN = 80;
    private static final String NOT_CLEAN = "must be Unicode text without NUL";

    private final JsonNode object;
    private final String pointer;
    private final FoundErrors found;

    private RequestFields(JsonNode object, String pointer, FoundErrors found) {
        this.object = object;
        this.pointer = pointer;
        this.found = found;
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed if the document is not an object
    public static RequestFields of(JsonNode document) {
        if (!document.isObject()) {
            throw Problem.invalid("type", "the body must be a JSON object");
        }
        return new RequestFields(document, "", new FoundErrors());
    }

    /// Returns the fields of a form as members, so that a page parses the same command as the API.
    ///
    /// @param members texts, numbers, flags, and lists and maps of them; null if a field is empty
    public static RequestFields form(Map<String, ? extends @Nullable Object> members) {
        var given = new LinkedHashMap<String, @Nullable Object>(members);
        given.values().removeIf(value -> value == null);
        return patch(given);
    }

    /// Returns the fields of a form as members of a merge patch.
    ///
    /// @param members as for [#form], but null removes a member
    public static RequestFields patch(Map<String, ? extends @Nullable Object> members) {
        return of(MAPPER.<JsonNode>valueToTree(members));
    }

    /// Parses a value that has a name, such as a query parameter.
    ///
    /// @throws ProblemException validation-failed that names it
    public static <T> T named(String name, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (ProblemException e) {
            throw e.problem() instanceof Problem.ValidationFailed failed
                    ? failed.under(name).raise()
                    : e;
        }
    }

    /// Reports members that are not among `known`.
    public void only(Set<String> known) {
        object.propertyNames().stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> found.errors.add(new FieldError(
                        placeOfUnknown(name),
                        "unknown",
                        Quoted.of(name) + " is not a member of this request; the members are "
                                + String.join(", ", known.stream().sorted().toList()))));
    }

    /// Returns the pointer to an unknown member (RFC 6901, section 3). If its name is too long for the answer,
    /// returns the pointer to its object.
    private String placeOfUnknown(String name) {
        return name.length() <= MAX_SHOWN
                ? pointer + "/" + name.replace("~", "~0").replace("/", "~1")
                : pointer;
    }

    public boolean has(String name) {
        return given(name) != null;
    }

    private @Nullable JsonNode given(String name) {
        JsonNode value = object.get(name);
        return value == null || value.isNull() ? null : value;
    }

    /// Returns the member; null if it is absent. Another type is reported as an error, and also returns null.
    private @Nullable JsonNode given(String name, Predicate<JsonNode> type, String detail) {
        JsonNode value = given(name);
        if (value != null && !type.test(value)) {
            error(name, "type", detail);
            return null;
        }
        return value;
    }

    /// Returns the names of all members, in their order.
    public List<String> names() {
        return List.copyOf(object.propertyNames());
    }

    /// Returns whether the member was sent, even as null. A merge patch changes exactly these members.
    public boolean sent(String name) {
        return object.has(name);
    }

    /// Reads a required text of 1 to `max` characters that contains more than white space.
    public String required(String name, int max) {
        String value = optional(name, max);
        if (value == null && !has(name)) {
            error(name, "required", "is required");
        }
        if (value != null && value.isBlank()) {
            error(name, "required", "must not be blank");
        }
        return value == null ? "" : value;
    }

    /// Reads a text of at most `max` characters; null if it is absent.
    public @Nullable String optional(String name, int max) {
        JsonNode value = given(name, JsonNode::isString, "must be a string");
        if (value == null) {
            return null;
        }
        String text = value.stringValue();
        if (!ValueShapes.isClean(text)) {
            error(name, "format", NOT_CLEAN);
            return null;
        }
        if (text.length() > max) {
            error(name, "too-long", "has " + text.length() + " characters; at most " + max);
            return null;
        }
        return text;
    }

    /// Reads true or false; null if it is absent.
    public @Nullable Boolean flag(String name) {
        JsonNode value = given(name, JsonNode::isBoolean, "must be true or false");
        return value == null ? null : value.booleanValue();
    }

    /// Reads a whole number from 0 to 2^63-1; null if it is absent.
    public @Nullable Long count(String name) {
        JsonNode value = given(name, ValueShapes::isCount, "must be a whole number, at least 0");
        return value == null ? null : value.longValue();
    }

    /// Reads a text of any characters as at most `max` bytes of UTF-8; null if it is absent.
    public byte @Nullable [] utf8(String name, long max) {
        JsonNode value = given(name, ValueShapes::isUnicode, "must be a string of Unicode text");
        if (value == null) {
            return null;
        }
        byte[] bytes = value.stringValue().getBytes(StandardCharsets.UTF_8);
        if (bytes.length > max) {
            error(name, "too-long", "has " + bytes.length + " bytes of UTF-8; at most " + max);
            return null;
        }
        return bytes;
    }

    /// Reads the bytes of a text in base64 (RFC 4648, section 4); null if it is absent.
    public byte @Nullable [] base64(String name) {
        JsonNode value = given(name);
        if (value == null) {
            return null;
        }
        try {
            if (value.isString()) {
                return Base64.getDecoder().decode(value.stringValue());
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        error(name, "format", "must be base64 with padding");
        return null;
    }

    /// Reads a required text with a parser of the vocabulary; returns `fallback` after an error.
    public <T> T parsed(String name, Function<String, T> parser, T fallback) {
        if (!has(name)) {
            error(name, "required", "is required");
        }
        return parsedOr(name, parser, fallback);
    }

    /// Reads a text with a parser; returns `fallback` if the member is absent, or after an error.
    public <T> T parsedOr(String name, Function<String, T> parser, T fallback) {
        return Objects.requireNonNullElse(optional(name, parser), fallback);
    }

    /// Reads a text with a parser; null if the member is absent, or after an error.
    public <T> @Nullable T optional(String name, Function<String, T> parser) {
        String text = optional(name, Integer.MAX_VALUE);
        return text == null ? null : checked(name, () -> parser.apply(text), null);
    }

    /// Reads any JSON value of at most `max` bytes; null if it is absent.
    public @Nullable JsonText json(String name, int max) {
        JsonNode value = given(name);
        if (value == null) {
            return null;
        }
        String text = value.toString();
        if (!ValueShapes.isWellFormed(text) || !ValueShapes.hasKeptNumbers(value)) {
            error(
                    name,
                    "format",
                    "must contain only Unicode text, and numbers that fit into 64 bits of floating point");
            return null;
        }
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > max) {
            error(name, "too-long", "has " + bytes + " bytes of JSON; at most " + max);
            return null;
        }
        return new JsonText(text);
    }

    /// Reads the strings of an array; null if it is absent. An invalid entry becomes "" in the list, so that
    /// the other entries keep their indexes.
    public @Nullable List<String> texts(String name) {
        JsonNode array = array(name, Integer.MAX_VALUE);
        if (array == null) {
            return null;
        }
        var texts = new ArrayList<String>();
        for (int i = 0; i < array.size(); i++) {
            String text = array.get(i).isString() ? array.get(i).stringValue() : "";
            if (!array.get(i).isString()) {
                error(name + "/" + i, "type", "has an entry that is not a string");
            } else if (!ValueShapes.isClean(text)) {
                error(name + "/" + i, "format", "has an entry that is not Unicode text without NUL");
                text = "";
            }
            texts.add(text);
        }
        return texts;
    }

    /// Reads the strings of an array of `min` to `max` with a parser; those with an error are left out. Empty if it
    /// is absent.
    public <T> List<T> parsedTexts(String name, int min, int max, Function<String, T> parser) {
        var parsed = new ArrayList<T>();
        JsonNode array = array(name, max);
        if (array != null && array.size() < min) {
            error(name, "range", "must have " + min + " to " + max + " entries");
        }
        for (int i = 0; array != null && i < array.size(); i++) {
            String entry = name + "/" + i;
            if (!array.get(i).isString()) {
                error(entry, "type", "has an entry that is not a string");
                continue;
            }
            String text = array.get(i).stringValue();
            if (!ValueShapes.isClean(text)) {
                error(entry, "format", "has an entry that is not Unicode text without NUL");
                continue;
            }
            @Nullable T one = checked(entry, () -> parser.apply(text), null);
            if (one != null) {
                parsed.add(one);
            }
        }
        return parsed;
    }

    /// Reads the strings of an array like [#texts]. A single string counts as an array of it.
    public @Nullable List<String> textOrTexts(String name) {
        JsonNode value = given(name);
        if (value == null || !value.isString()) {
            return texts(name);
        }
        String text = optional(name, Integer.MAX_VALUE);
        return text == null ? null : List.of(text);
    }

    /// Reads the objects of an array of 1 to `max`, each as a [RequestFields] that reports into this one; empty if it
    /// is absent.
    public List<RequestFields> objects(String name, int max) {
        JsonNode array = array(name, max);
        if (array != null && array.isEmpty()) {
            error(name, "range", "must have 1 to " + max + " entries");
        }
        return array == null ? List.of() : objects(name, array);
    }

    /// Reads the objects of an array of at most `max` as [#objects] does; null if it is absent or not such an array.
    public @Nullable List<RequestFields> anyObjects(String name, int max) {
        JsonNode array = array(name, max);
        return array == null ? null : objects(name, array);
    }

    private List<RequestFields> objects(String name, JsonNode array) {
        var objects = new ArrayList<RequestFields>();
        for (int i = 0; i < array.size(); i++) {
            if (array.get(i).isObject()) {
                objects.add(new RequestFields(array.get(i), place(name) + "/" + i, found));
            } else {
                error(name + "/" + i, "type", "must be an object");
            }
        }
        return objects;
    }

    /// Returns whether the member is an array without entries.
    public boolean isEmptyArray(String name) {
        JsonNode value = given(name);
        return value != null && value.isArray() && value.isEmpty();
    }

    /// Reads the object in a member; null if it is absent.
    public @Nullable RequestFields object(String name) {
        JsonNode value = given(name, JsonNode::isObject, "must be an object");
        return value == null ? null : new RequestFields(value, place(name), found);
    }

    private @Nullable JsonNode array(String name, int max) {
        JsonNode value = given(name, JsonNode::isArray, "must be an array");
        if (value == null) {
            return null;
        }
        if (value.size() > max) {
            error(name, "range", "has " + value.size() + " entries; at most " + max);
            return null;
        }
        return value;
    }

    /// Adds an error of the member `name`.
    public void error(String name, String code, String detail) {
        String member = name.contains("/") ? name.substring(0, name.indexOf('/')) : name;
        String subject = member.isEmpty() ? "the object" : Quoted.of(member);
        found.add(new FieldError(place(name), code, subject + " " + detail));
    }

    /// Runs a parser of the member `name`. Returns its result, or `fallback` if the parser found errors.
    public <T extends @Nullable Object> T checked(String name, Supplier<T> parser, T fallback) {
        var parsed = new ArrayList<T>(1);
        check(name, () -> parsed.add(parser.get()));
        return parsed.isEmpty() ? fallback : parsed.getFirst();
    }

    /// Adds the errors that a check finds in the member `name`.
    public void check(String name, Runnable check) {
        ProblemException.check(place(name), check)
                .ifPresent(failed -> failed.errors().forEach(found::add));
    }

    private String place(String name) {
        return name.isEmpty() ? pointer : pointer + "/" + name;
    }

    /// Parses this object into a command.
    ///
    /// @throws dev.sheaf.model.ProblemException those of [#finish]
    public <T extends @Nullable Object> T to(Function<RequestFields, T> command) {
        T made = command.apply(this);
        finish();
        return made;
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed with all errors, if there are any
    public void finish() {
        found.refuse();
    }
}
