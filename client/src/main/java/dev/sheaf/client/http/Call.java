package dev.sheaf.client.http;

import dev.sheaf.client.io.Json;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.function.Supplier;

/// One request, before it is sent.
///
/// @param body made anew for each attempt
/// @param expected the statuses that are an answer; every other is a failure
/// @param repeatable whether a second arrival does no harm
/// @param authorized whether the credential goes with it
/// @param patience how long the head of the answer may take, and what a slow line needs for the body
public record Call(
        String method,
        URI uri,
        Map<String, String> headers,
        Supplier<BodyPublisher> body,
        Set<Integer> expected,
        boolean repeatable,
        boolean authorized,
        Duration patience) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// For what a registry only has to look up (contract 6 gives it 10 s).
    private static final Duration READING_PATIENCE = Duration.ofSeconds(15);

    private static final long SLOWEST_BYTES_PER_SECOND = 32 * 1024;

    /// A text as a part of a path or query.
    public static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    public static Call of(String method, URI uri) {
        return new Call(method, uri, Map.of(), BodyPublishers::noBody, Set.of(200), true, true, PATIENCE);
    }

    public static Call get(URI uri) {
        return of("GET", uri).answeredWithin(READING_PATIENCE);
    }

    public Call sending(String contentType, Supplier<BodyPublisher> content) {
        return new Call(method, uri, headers, content, expected, repeatable, authorized, patience)
                .header("Content-Type", contentType);
    }

    /// Names and values in turn (RFC 6749, appendix B).
    public Call sendingForm(String... fields) {
        var pairs = new StringJoiner("&");
        for (int i = 0; i < fields.length; i += 2) {
            pairs.add(fields[i] + "=" + URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
        }
        return sending("application/x-www-form-urlencoded", () -> BodyPublishers.ofString(pairs.toString()));
    }

    public Call sendingJson(Object wireRecord) {
        byte[] json = Json.write(wireRecord);
        return sending("application/json", () -> BodyPublishers.ofByteArray(json));
    }

    public Call header(String name, String value) {
        var all = new LinkedHashMap<>(headers);
        all.put(name, value);
        return new Call(method, uri, Map.copyOf(all), body, expected, repeatable, authorized, patience);
    }

    public Call expecting(Integer... statuses) {
        return new Call(method, uri, headers, body, Set.of(statuses), repeatable, authorized, patience);
    }

    /// A POST that a registry carries out once, however often it arrives (contract 1.1).
    public Call keyed() {
        return header("Idempotency-Key", UUID.randomUUID().toString());
    }

    /// Not sent again after it may have arrived.
    public Call once() {
        return new Call(method, uri, headers, body, expected, false, authorized, patience);
    }

    /// The same request elsewhere, without credential.
    public Call anonymouslyAt(URI elsewhere) {
        return new Call(method, elsewhere, headers, body, expected, repeatable, false, patience);
    }

    public Call answeredWithin(Duration other) {
        return new Call(method, uri, headers, body, expected, repeatable, authorized, other);
    }

    /// The wait for the head of the answer.
    Duration timeout(BodyPublisher content) {
        return patience.plusSeconds(Math.max(0, content.contentLength()) / SLOWEST_BYTES_PER_SECOND);
    }
}
