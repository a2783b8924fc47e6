package dev.sheaf.server.webhook;

import dev.sheaf.engine.net.OutgoingClient.Reply;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What is stored of the headers and the answer of an attempt. Receivers are strangers: the answer is bounded, and
/// of its headers only those are stored that help to find an error and contain no secret.
///
/// @param body the beginning of the body; null if it is not text
/// @param headers one a line, by name
/// @param bytes the number of bytes that were read of the body
record KeptAnswer(@Nullable String body, String headers, long bytes) {
    /// The limit of the body in bytes for an answer that means failure, and for others.
    static final int MOST_OF_FAILURE = 8 << 10;

    static final int MOST = 1_024;

    private static final int LONGEST_VALUE = 200; // characters
    private static final List<String> HEADERS = List.of(
            "allow",
            "cf-ray",
            "content-encoding",
            "content-length",
            "content-type",
            "location",
            "request-id",
            "retry-after",
            "server",
            "via",
            "www-authenticate",
            "x-amzn-requestid",
            "x-correlation-id",
            "x-request-id");
    private static final String TEXTS = "(text/.*|.*[/+](json|xml)|application/problem.*).*";
    private static final int LAST_PIECE = 3; // bytes of a character that was cut

    static KeptAnswer of(Reply reply) {
        byte[] all = reply.body();
        int most = reply.status() / 100 == 2 ? MOST : MOST_OF_FAILURE;
        var headers = new TreeMap<String, String>();
        HEADERS.forEach(name -> reply.header(name).ifPresent(value -> headers.put(name, safe(name, value))));
        return new KeptAnswer(text(all, Math.min(all.length, most), reply), lines(headers), all.length);
    }

    /// Redirects may contain secrets in their queries.
    private static String safe(String name, String value) {
        return name.equals("location") ? value.replaceFirst("[?#].*", "?…") : value;
    }

    /// Returns headers as they are stored. None has the name of one that is sent with a secret.
    static String lines(Map<String, String> headers) {
        UnaryOperator<String> line = text -> cut(text.replaceAll("[\\r\\n\\x00]+", " "), LONGEST_VALUE);
        return headers.entrySet().stream()
                .map(header -> header.getKey() + ": " + line.apply(header.getValue()))
                .collect(Collectors.joining("\n"));
    }

    /// Returns headers as they were stored; null if none were.
    static @Nullable Map<String, String> headers(@Nullable String lines) {
        if (lines == null) {
            return null;
        }
        var headers = new TreeMap<String, String>();
        lines.lines().filter(line -> line.contains(": ")).forEach(line -> {
            int colon = line.indexOf(": ");
            headers.put(line.substring(0, colon), line.substring(colon + 2));
        });
        return headers;
    }

    /// Returns the answer with a shorter body.
    static @Nullable String shorter(@Nullable String body) {
        return body == null ? null : cut(body, MOST);
    }

    private static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most);
    }

    private static @Nullable String text(byte[] body, int length, Reply reply) {
        for (int i = 0; i < length; i++) {
            if (body[i] == 0) { // which databases do not accept, either
                return null;
            }
        }
        boolean isText = reply.header("content-type")
                .map(type -> type.toLowerCase(Locale.ROOT).matches(TEXTS))
                .orElse(false);
        return isText || isUtf8(body, length, length < body.length || !reply.whole())
                ? new String(body, 0, length, StandardCharsets.UTF_8)
                : null;
    }

    private static boolean isUtf8(byte[] body, int length, boolean isCut) {
        var decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        var in = ByteBuffer.wrap(body, 0, length);
        return !decoder.decode(in, CharBuffer.allocate(length), !isCut).isError() && in.remaining() <= LAST_PIECE;
    }
}
