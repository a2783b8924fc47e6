package dev.sheaf.client.http;

import dev.sheaf.client.io.WireJson;
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
import org.jspecify.annotations.Nullable;

/// A request that has not been sent.
///
/// @param body creates the body for each attempt
/// @param expected the statuses of success; every other status is a failure
/// @param repeatable whether it may be sent twice
/// @param authorized whether to send the credential
/// @param patience how long to wait for the head of the response, not counting the time that a slow connection
/// needs for the request body
public record HttpCall(
        String method,
        URI uri,
        Map<String, String> headers,
        Supplier<BodyPublisher> body,
        Set<Integer> expected,
        boolean repeatable,
        boolean authorized,
        Duration patience) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// The default for requests that only read. Registries limit them to 10 s (contract 6).
    private static final Duration READING_PATIENCE = Duration.ofSeconds(15);

    private static final long SLOWEST_BYTES_PER_SECOND = 32 * 1024;

    /// Encodes a string for a path or query.
    public static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    public static HttpCall of(String method, URI uri) {
        return new HttpCall(method, uri, Map.of(), BodyPublishers::noBody, Set.of(200), true, true, PATIENCE);
    }

    public static HttpCall get(URI uri) {
        return of("GET", uri).answeredWithin(READING_PATIENCE);
    }

    public HttpCall sending(String contentType, Supplier<BodyPublisher> content) {
        return new HttpCall(method, uri, headers, content, expected, repeatable, authorized, patience)
                .header("Content-Type", contentType);
    }

    /// Sets a form as body. `fields` contains names and values alternately (RFC 6749, appendix B).
    public HttpCall sendingForm(String... fields) {
        var pairs = new StringJoiner("&");
        for (int i = 0; i < fields.length; i += 2) {
            pairs.add(fields[i] + "=" + URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
        }
        return sending("application/x-www-form-urlencoded", () -> BodyPublishers.ofString(pairs.toString()));
    }

    public HttpCall sendingJson(Object wireRecord) {
        byte[] json = WireJson.write(wireRecord);
        return sending("application/json", () -> BodyPublishers.ofByteArray(json));
    }

    public HttpCall header(String name, String value) {
        var all = new LinkedHashMap<>(headers);
        all.put(name, value);
        return new HttpCall(method, uri, Map.copyOf(all), body, expected, repeatable, authorized, patience);
    }

    public HttpCall expecting(Integer... statuses) {
        return new HttpCall(method, uri, headers, body, Set.of(statuses), repeatable, authorized, patience);
    }

    /// Adds an idempotency key: the registry carries out the POST once, even if it arrives several times
    /// (contract 1.1).
    public HttpCall keyed() {
        return header("Idempotency-Key", UUID.randomUUID().toString());
    }

    /// Returns a call that is not retried once the request may have arrived.
    public HttpCall once() {
        return new HttpCall(method, uri, headers, body, expected, false, authorized, patience);
    }

    /// Returns the same request for another URI, without the credential.
    public HttpCall anonymouslyAt(URI elsewhere) {
        return new HttpCall(method, elsewhere, headers, body, expected, repeatable, false, patience);
    }

    public HttpCall answeredWithin(Duration other) {
        return new HttpCall(method, uri, headers, body, expected, repeatable, authorized, other);
    }

    /// Returns how long to wait for the head of the response.
    ///
    /// @param chosen the wait that the program has chosen for answers that need no special one; null for the usual
    Duration timeout(BodyPublisher content, @Nullable Duration chosen) {
        boolean usual = patience.equals(PATIENCE) || patience.equals(READING_PATIENCE);
        return (usual && chosen != null ? chosen : patience)
                .plusSeconds(Math.max(0, content.contentLength()) / SLOWEST_BYTES_PER_SECOND);
    }
}
