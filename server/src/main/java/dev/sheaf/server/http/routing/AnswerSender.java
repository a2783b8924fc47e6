package dev.sheaf.server.http.routing;

import dev.sheaf.engine.http.ResponseHead;
import dev.sheaf.server.http.entity.ContentCoding;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.http.message.ReadHeaders;
import dev.sheaf.server.rate.RateStanding;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Sends an [Answer]: ids, headers, ETag and 304, and the body unless the method is HEAD.
final class AnswerSender {
    private static final byte[] NOTHING = {};
    private static final Pattern UNSENDABLE = Pattern.compile("[^ -~]");

    private AnswerSender() {}

    /// An answer that is ready to be sent.
    ///
    /// @param json the body if it is JSON; otherwise empty
    /// @param etag the entity tag of the JSON; empty if there is none
    /// @param unmodified whether the caller has the answer already and gets 304 (RFC 9110, section 13.1.2)
    record Ready(Answer answer, byte[] json, String etag, boolean unmodified) {
        int status() {
            return unmodified ? 304 : answer.status();
        }

        Ready with(Answer.Header header) {
            return new Ready(answer.with(header.name(), header.value()), json, etag, unmodified);
        }
    }

    static Ready ready(Answer answer, Call call) {
        byte[] json = answer.body() instanceof Answer.Body.Json body ? Json.write(body.value()) : NOTHING;
        boolean found = answer.status() == 200;
        String etag = found && answer.body() instanceof Answer.Body.Json body
                ? own(answer)
                        .or(() -> known(body))
                        .orElseGet(() -> call.computing().digest(json))
                : "";
        boolean known = found && isRead(call) && (etag.isEmpty() ? isKnown(answer, call) : matches(call, etag));
        boolean secret = answer.body() instanceof Answer.Body.Json body && body.isSecret();
        // releases the objects of which the JSON was made
        var light = secret ? answer : answer.written(new Json.Written(json));
        return new Ready(light, json, etag, known || answer.status() == 304);
    }

    /// Returns whether a header says that the answer depends on the caller.
    private static boolean isOfCaller(Answer.Header header) {
        return header.name().equalsIgnoreCase("Vary")
                && (header.value().contains("Authorization") || header.value().contains("Cookie"));
    }

    /// @return the rest of the content, to be continued after a wait; null if the answer is complete
    /// @throws AnswerBodies.UnsentException if the content cannot be read and nothing was sent
    static @Nullable SteppedContent send(Ready ready, Call call) {
        var response = call.exchange().response();
        var answer = ready.answer();
        response.set(ReadHeaders.REQUEST_ID, call.ids().requestId());
        response.set(ReadHeaders.TRACE_ID, call.ids().traceId());
        if (call.toll().standing() instanceof RateStanding standing) {
            response.set(ReadHeaders.RATE_LIMIT, standing.field());
            response.set(ReadHeaders.RATE_LIMIT_POLICY, standing.policy().field());
        }
        answer.headers().forEach(header -> response.add(header.name(), header.value()));
        String caching = response.get("Cache-Control");
        boolean shared = caching != null && caching.startsWith("public");
        if (caching == null) {
            response.set("Cache-Control", "private, no-store");
        }
        if (!shared && answer.headers().stream().noneMatch(AnswerSender::isOfCaller)) {
            response.add("Vary", "Authorization");
        }
        SecurityHeaders.apply(answer, shared, call.way().isStrict(), response);
        call.cors().apply(call, response);
        status(answer, response);
        switch (answer.body()) {
            case Answer.Body.None none -> call.exchange().send();
            case Answer.Body.Json json -> json(ready, json, call, response);
            case Answer.Body.Content content -> content(ready, content, call, response);
            case Answer.Body.Live live -> {
                return live(live, call, response);
            }
            case Answer.Body.Later later -> throw new IllegalStateException("there is no answer yet");
        }
        return null;
    }

    private static @Nullable SteppedContent live(Answer.Body.Live live, Call call, ResponseHead response) {
        response.set("Content-Type", live.mediaType());
        if (call.isHead()) {
            call.exchange().send();
            return null;
        }
        var stepped = new SteppedContent(live.steps(), call.exchange());
        return stepped.goOn() ? stepped : null;
    }

    private static void status(Answer answer, ResponseHead response) {
        if (answer.reason().isEmpty()) {
            response.status(answer.status());
        } else {
            response.status(answer.status(), UNSENDABLE.matcher(answer.reason()).replaceAll("?"));
        }
    }

    private static void json(Ready ready, Answer.Body.Json json, Call call, ResponseHead response) {
        byte[] bytes = ready.json();
        var wanted = json.isSecret() ? Optional.<ContentCoding>empty() : coding(bytes.length, call, response);
        if (ready.unmodified()) {
            etag(ready, wanted, response);
            response.status(304);
            call.exchange().send();
            return;
        }
        var coded = wanted.flatMap(coding -> call.computing().coded(coding, bytes, digest(ready, call)));
        var coding = coded.isPresent() ? wanted : Optional.<ContentCoding>empty();
        etag(ready, coding, response);
        response.set("Content-Type", json.mediaType());
        byte[] sent = coded.orElse(bytes);
        coding.ifPresent(used -> response.set("Content-Encoding", used.token()));
        if (call.isHead()) {
            response.contentLength(sent.length);
            call.exchange().send();
        } else {
            AnswerBodies.send(new Answer.Body.Content("", sent.length, out -> out.write(sent)), ready.answer(), call);
        }
    }

    private static void etag(Ready ready, Optional<ContentCoding> coding, ResponseHead response) {
        if (!ready.etag().isEmpty()) {
            response.set("ETag", coding.map(used -> used.etag(ready.etag())).orElse(ready.etag()));
        }
    }

    /// Returns the entity tag of the exact bytes of the answer.
    private static String digest(Ready ready, Call call) {
        return ready.etag().isEmpty() || own(ready.answer()).isPresent()
                ? call.computing().digest(ready.json())
                : ready.etag();
    }

    /// Returns the entity tag that a handler has set. It may cover only a part of the answer.
    private static Optional<String> own(Answer answer) {
        for (var header : answer.headers()) {
            if (header.name().equals("ETag")) {
                return Optional.of(header.value());
            }
        }
        return Optional.empty();
    }

    private static Optional<String> known(Answer.Body.Json body) {
        return body.value() instanceof Json.Written written ? written.etag() : Optional.empty();
    }

    /// Returns the coding for an answer; empty if the answer is small, or under `/v2`, whose clients support no
    /// coding. Not for an answer with a secret, because its compressed length would reveal the secret.
    private static Optional<ContentCoding> coding(long length, Call call, ResponseHead response) {
        if (length < ContentCoding.WORTHWHILE || call.isOfRegistry()) {
            return Optional.empty();
        }
        response.add("Vary", "Accept-Encoding");
        return ContentCoding.accepted(call.headers("Accept-Encoding"));
    }

    static boolean isRead(Call call) {
        return call.isHead() || call.method().equals("GET");
    }

    private static boolean isKnown(Answer answer, Call call) {
        for (var header : answer.headers()) {
            if (header.name().equals("ETag") && matches(call, header.value())) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(Call call, String etag) {
        return call.header(ReadHeaders.IF_NONE_MATCH)
                .map(tags -> Arrays.stream(tags.split(","))
                        .map(String::strip)
                        .map(ContentCoding::plainEtag)
                        .anyMatch(tag -> tag.equals("*") || tag.equals(etag) || tag.equals("W/" + etag)))
                .orElse(false);
    }

    private static void content(Ready ready, Answer.Body.Content content, Call call, ResponseHead response) {
        var wanted = content.packs() ? coding(content.length(), call, response) : Optional.<ContentCoding>empty();
        if (ready.unmodified()) {
            wanted.ifPresent(coding -> etagOf(coding, ready, response));
            response.status(304);
            call.exchange().send();
            return;
        }
        var packed = wanted.flatMap(coding -> packed(coding, content, ready, call));
        wanted.filter(coding -> packed.isPresent()).ifPresent(coding -> {
            etagOf(coding, ready, response);
            response.set("Content-Encoding", coding.token());
        });
        plain(ready, packed.orElse(content), call, response);
    }

    /// Returns the encoded content; empty if it is not shorter.
    private static Optional<Answer.Body.Content> packed(
            ContentCoding coding, Answer.Body.Content content, Ready ready, Call call) {
        byte[] plain = AnswerBodies.collected(content);
        String etag = own(ready.answer()).orElseGet(() -> call.computing().digest(plain));
        return call.computing()
                .coded(coding, plain, etag)
                .map(sent -> new Answer.Body.Content(content.mediaType(), sent.length, out -> out.write(sent)));
    }

    private static void etagOf(ContentCoding coding, Ready ready, ResponseHead response) {
        own(ready.answer()).ifPresent(etag -> response.set("ETag", coding.etag(etag)));
    }

    private static void plain(Ready ready, Answer.Body.Content content, Call call, ResponseHead response) {
        response.set("Content-Type", content.mediaType());
        if (call.isHead() || content.length() == 0) {
            if (content.length() != Answer.Body.Content.UNKNOWN) {
                response.contentLength(content.length());
            }
            call.exchange().send();
        } else {
            AnswerBodies.send(content, ready.answer(), call);
        }
    }
}
