package dev.sheaf.server.http;

import dev.sheaf.model.Digest;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;

/// Writes an [Answer] to the wire: ids, headers, ETag and 304, and the body unless the method is HEAD.
final class Sender {
    private static final int ETAG_HEX = 32;

    private Sender() {}

    static void send(Answer answer, Call call, ServerResponse response) {
        response.header(Names.REQUEST_ID, call.ids().requestId());
        response.header(Names.TRACE_ID, call.ids().traceId());
        response.header("X-Content-Type-Options", "nosniff");
        answer.headers().forEach(header -> response.headers().add(HeaderNames.create(header.name()), header.value()));
        if (answer.headers().stream().noneMatch(header -> header.name().equals("Cache-Control"))) {
            response.header(HeaderNames.CACHE_CONTROL, "private, no-store");
        }
        response.status(Status.create(answer.status()));
        switch (answer.body()) {
            case Answer.Body.None none -> response.send();
            case Answer.Body.Json json -> json(answer, json, call, response);
            case Answer.Body.Content content -> content(content, call, response);
        }
    }

    private static void json(Answer answer, Answer.Body.Json json, Call call, ServerResponse response) {
        byte[] bytes = Json.write(json.value());
        if (answer.status() == 200) {
            String etag = own(answer).orElseGet(() -> {
                String whole = etag(bytes);
                response.header(HeaderNames.ETAG, whole);
                return whole;
            });
            if (isRead(call) && matches(call, etag)) {
                response.status(Status.NOT_MODIFIED_304);
                response.send();
                return;
            }
        }
        response.header(HeaderNames.CONTENT_TYPE, json.mediaType());
        if (call.isHead()) {
            response.contentLength(bytes.length);
            response.send();
        } else {
            response.send(bytes);
        }
    }

    /// The validator that a handler has set, which may leave out what follows from the rest.
    private static Optional<String> own(Answer answer) {
        return answer.headers().stream()
                .filter(header -> header.name().equals("ETag"))
                .map(Answer.Header::value)
                .findFirst();
    }

    private static boolean isRead(Call call) {
        return call.isHead() || call.method().equals("GET");
    }

    static String etag(byte[] bytes) {
        return "\"" + Digest.sha256(bytes).hex().substring(0, ETAG_HEX) + "\"";
    }

    private static boolean matches(Call call, String etag) {
        return call.header(Names.IF_NONE_MATCH)
                .map(tags -> Arrays.stream(tags.split(","))
                        .map(String::strip)
                        .anyMatch(tag -> tag.equals("*") || tag.equals(etag) || tag.equals("W/" + etag)))
                .orElse(false);
    }

    private static void content(Answer.Body.Content content, Call call, ServerResponse response) {
        response.header(HeaderNames.CONTENT_TYPE, content.mediaType());
        response.contentLength(content.length());
        if (call.isHead() || content.length() == 0) {
            response.send();
            return;
        }
        try (var out = response.outputStream()) {
            content.writer().writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
