package dev.sheaf.engine.http;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.text.Utf8Text;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the target of a request (RFC 9112, section 3.2).
public final class RequestTarget {
    private RequestTarget() {}

    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://([^/?#]*)");

    /// Returns the path, still encoded. Removes an address before it, which proxies may send (section 3.2.2),
    /// and extra slashes, which clients send if their configured address ends in a slash.
    public static String path(String target) {
        int path =
                target.startsWith("/") ? 0 : address(target).map(Matcher::end).orElse(0);
        if (path == target.length()) {
            return target;
        }
        while (target.startsWith("//", path)) {
            path++;
        }
        return target.substring(path);
    }

    /// Returns the host before the path, without checking it; empty if there is none.
    public static Optional<String> host(String target) {
        return address(target).map(found -> found.group(1));
    }

    private static Optional<Matcher> address(String target) {
        if (target.startsWith("/")) {
            return Optional.empty();
        }
        var matcher = ADDRESS.matcher(target);
        return matcher.lookingAt() ? Optional.of(matcher) : Optional.empty();
    }

    /// Returns all values of a query parameter, in order. A plus stays a plus, because versions contain it.
    ///
    /// @param raw the query, still encoded
    /// @throws dev.sheaf.model.ProblemException bad-request if a value is not percent-encoded UTF-8
    public static List<String> values(String raw, String name) {
        if (raw.isEmpty()) {
            return List.of();
        }
        var values = new ArrayList<String>(2);
        for (String pair : raw.split("&")) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? pair : pair.substring(0, equals);
            if (name.equals(decode(key))) {
                String value = decode(equals < 0 ? "" : pair.substring(equals + 1));
                if (value == null) {
                    throw new Problem.BadRequest("the query parameter " + name + " is not percent-encoded UTF-8")
                            .raise();
                }
                values.add(value);
            }
        }
        return values;
    }

    /// Returns the value of a query parameter that may occur only once.
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed if it occurs more often; those of [#values]
    public static Optional<String> single(String raw, String name) {
        var values = values(raw, name);
        if (values.size() > 1) {
            String detail = Quoted.of(name) + " is in the query " + values.size() + " times; send it once";
            throw new Problem.ValidationFailed(List.of(new Problem.FieldError(name, "duplicate", detail))).raise();
        }
        return values.isEmpty() ? Optional.empty() : Optional.of(values.getFirst());
    }

    /// Percent-decodes a path, in which a plus stays a plus; null if the encoding is invalid or not UTF-8.
    public static @Nullable String decode(String raw) {
        if (raw.indexOf('%') < 0) {
            return raw;
        }
        var bytes = new ByteArrayOutputStream(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            if (raw.charAt(i) != '%') {
                int plain = raw.indexOf('%', i) < 0 ? raw.length() : raw.indexOf('%', i);
                bytes.writeBytes(raw.substring(i, plain).getBytes(StandardCharsets.UTF_8));
                i = plain - 1;
            } else if (i + 2 < raw.length()
                    && HexFormat.isHexDigit(raw.charAt(i + 1))
                    && HexFormat.isHexDigit(raw.charAt(i + 2))) {
                bytes.write(HexFormat.fromHexDigits(raw, i + 1, i + 3));
                i += 2;
            } else {
                return null;
            }
        }
        return Utf8Text.of(bytes.toByteArray()).orElse(null);
    }
}
