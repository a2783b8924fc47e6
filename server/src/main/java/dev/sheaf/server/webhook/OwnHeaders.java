package dev.sheaf.server.webhook;

import dev.sheaf.engine.input.RequestFields;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Headers that a receiver requires in each request, such as a token. Their values are secret.
public record OwnHeaders(Map<String, String> values) {
    static final OwnHeaders NONE = new OwnHeaders(Map.of());
    private static final int MOST = 5;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
    private static final Pattern VALUE = Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e\\t]{0,1022}[\\x21-\\x7e])?");

    /// Headers that the request itself needs.
    private static final Set<String> OURS = Set.of(
            "accept-encoding",
            "connection",
            "content-encoding",
            "content-length",
            "content-type",
            "date",
            "expect",
            "host",
            "http2-settings",
            "keep-alive",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "user-agent",
            "via");

    public OwnHeaders {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /// Parses the member `headers`. A missing member means no headers.
    static OwnHeaders parse(RequestFields fields) {
        var object = fields.object("headers");
        if (object == null) {
            return NONE;
        }
        if (object.names().size() > MOST) {
            fields.error("headers", "range", "has " + object.names().size() + " members; at most " + MOST);
            return NONE;
        }
        var values = new LinkedHashMap<String, String>();
        for (String name : object.names()) {
            String value = object.optional(name, Integer.MAX_VALUE);
            if (!NAME.matcher(name).matches()) {
                fields.error("headers", "format", "has a name that is not a valid header name (RFC 9110, section 5.1)");
            } else if (isOurs(name)) {
                fields.error("headers", "range", "must not contain " + name + ", which Sheaf sets itself");
            } else if (value == null || !VALUE.matcher(value).matches()) {
                fields.error("headers", "format", "must have 1 to 1,024 ASCII characters as the value of " + name);
            } else if (values.keySet().stream().anyMatch(name::equalsIgnoreCase)) {
                fields.error("headers", "duplicate", "contains " + name + " twice");
            } else {
                values.put(name, value);
            }
        }
        return new OwnHeaders(values);
    }

    private static boolean isOurs(String name) {
        String lower = name.toLowerCase(Locale.ROOT).replace('_', '-'); // many servers treat both the same
        return OURS.contains(lower) || lower.startsWith("proxy-") || lower.startsWith("webhook-");
    }

    /// Returns one header on each line, as in a request.
    String encode() {
        return values.entrySet().stream()
                .map(header -> header.getKey() + ": " + header.getValue())
                .collect(Collectors.joining("\n"));
    }

    /// Parses the output of [#encode].
    static OwnHeaders decode(String text) {
        var values = new LinkedHashMap<String, String>();
        text.lines().map(line -> line.split(": ", 2)).forEach(header -> values.put(header[0], header[1]));
        return new OwnHeaders(values);
    }

    List<String> names() {
        return List.copyOf(values.keySet());
    }

    /// Hides the values: this record may reach a log.
    @Override
    public String toString() {
        return "OwnHeaders" + names();
    }
}
