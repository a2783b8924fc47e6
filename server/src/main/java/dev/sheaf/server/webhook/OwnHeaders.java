package dev.sheaf.server.webhook;

import dev.sheaf.server.input.Fields;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Headers that a receiver wants with each request, such as a token of its own. Their values are secret.
public record OwnHeaders(Map<String, String> values) {
    static final OwnHeaders NONE = new OwnHeaders(Map.of());
    private static final int MOST = 5;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
    private static final Pattern VALUE = Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e\\t]{0,1022}[\\x21-\\x7e])?");

    /// What the request itself is made of.
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

    /// Those of the member `headers`; none where it is not there.
    static OwnHeaders parse(Fields fields) {
        var object = fields.object("headers");
        if (object == null) {
            return NONE;
        }
        if (object.names().size() > MOST) {
            fields.error("headers", "range", "must have at most " + MOST + " members");
            return NONE;
        }
        var values = new LinkedHashMap<String, String>();
        for (String name : object.names()) {
            String value = object.optional(name, Integer.MAX_VALUE);
            if (!NAME.matcher(name).matches()) {
                fields.error("headers", "format", "has a name that no header has (RFC 9110, section 5.1)");
            } else if (isOurs(name)) {
                fields.error("headers", "range", "must not have " + name + ", which the request itself needs");
            } else if (value == null || !VALUE.matcher(value).matches()) {
                fields.error("headers", "format", "must have 1 to 1,024 characters of ASCII for " + name);
            } else if (values.keySet().stream().anyMatch(name::equalsIgnoreCase)) {
                fields.error("headers", "duplicate", "names " + name + " twice");
            } else {
                values.put(name, value);
            }
        }
        return new OwnHeaders(values);
    }

    private static boolean isOurs(String name) {
        String lower = name.toLowerCase(Locale.ROOT).replace('_', '-'); // many servers make one of the other
        return OURS.contains(lower) || lower.startsWith("proxy-") || lower.startsWith("webhook-");
    }

    /// Each on a line of its own, as requests have them.
    String encode() {
        return values.entrySet().stream()
                .map(header -> header.getKey() + ": " + header.getValue())
                .collect(Collectors.joining("\n"));
    }

    /// Reads what [#encode] wrote.
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
