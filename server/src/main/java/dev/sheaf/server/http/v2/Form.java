package dev.sheaf.server.http.v2;

import dev.sheaf.model.Problem;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The fields of an `application/x-www-form-urlencoded` body.
record Form(Map<String, List<String>> fields) {
    /// @throws dev.sheaf.model.ProblemException bad-request where the encoding is broken
    static Form parse(String body) {
        var fields = new HashMap<String, List<String>>();
        try {
            for (String pair : body.split("&")) {
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                String value = equals < 0 ? "" : pair.substring(equals + 1);
                fields.computeIfAbsent(URLDecoder.decode(name, StandardCharsets.UTF_8), n -> new ArrayList<>())
                        .add(URLDecoder.decode(value, StandardCharsets.UTF_8));
            }
        } catch (IllegalArgumentException e) {
            throw new Problem.BadRequest("the form is not percent-encoded").raise();
        }
        return new Form(fields);
    }

    List<String> all(String name) {
        return fields.getOrDefault(name, List.of());
    }

    /// The first value that is not empty.
    Optional<String> first(String name) {
        return all(name).stream().filter(value -> !value.isEmpty()).findFirst();
    }
}
