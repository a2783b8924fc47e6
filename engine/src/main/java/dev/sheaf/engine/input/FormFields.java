package dev.sheaf.engine.input;

import dev.sheaf.model.Problem;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The fields of an `application/x-www-form-urlencoded` body.
public record FormFields(Map<String, List<String>> fields) {
    public static final String TYPE = "application/x-www-form-urlencoded";
    /// The maximum number of fields. A field takes many times the memory of its bytes.
    static final int MAX_FIELDS = 200;

    /// @param type the value of the request's Content-Type
    /// @throws dev.sheaf.model.ProblemException unsupported-media-type
    public static void require(String type) {
        if (!type.split(";", 2)[0].strip().equalsIgnoreCase(TYPE)) {
            throw new Problem.UnsupportedMediaType("Content-Type", type, TYPE).raise();
        }
    }

    /// @throws dev.sheaf.model.ProblemException payload-too-large if there are too many fields, which are then
    /// not read; bad-request if the encoding is not valid
    public static FormFields parse(String body) {
        var fields = new HashMap<String, List<String>>();
        String[] pairs = body.split("&", MAX_FIELDS + 1);
        if (pairs.length > MAX_FIELDS) {
            throw new Problem.PayloadTooLarge("the form", MAX_FIELDS, "fields").raise();
        }
        try {
            for (String pair : pairs) {
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                String value = equals < 0 ? "" : pair.substring(equals + 1);
                fields.computeIfAbsent(URLDecoder.decode(name, StandardCharsets.UTF_8), n -> new ArrayList<>())
                        .add(URLDecoder.decode(value, StandardCharsets.UTF_8));
            }
        } catch (IllegalArgumentException e) {
            throw new Problem.BadRequest("the form is not valid percent-encoded UTF-8").raise();
        }
        return new FormFields(fields);
    }

    public List<String> all(String name) {
        return fields.getOrDefault(name, List.of());
    }

    /// Returns the first value that is not empty.
    public Optional<String> first(String name) {
        return all(name).stream().filter(value -> !value.isEmpty()).findFirst();
    }

    /// Returns the value of a field that may be sent only once.
    ///
    /// @throws dev.sheaf.model.ProblemException bad-request if it was sent more often (RFC 6749, section 3.2)
    public Optional<String> single(String name) {
        if (all(name).size() > 1) {
            throw new Problem.BadRequest("the field " + name + " must not be sent more than once").raise();
        }
        return first(name);
    }

    /// Returns the value of a field that must be sent exactly once and not be empty.
    ///
    /// @throws dev.sheaf.model.ProblemException bad-request
    public String required(String name) {
        return single(name).orElseThrow(() -> new Problem.BadRequest("the field " + name + " is required").raise());
    }
}
