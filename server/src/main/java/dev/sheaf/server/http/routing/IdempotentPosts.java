package dev.sheaf.server.http.routing;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.http.message.ProblemJson;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.idempotency.StoredAnswer;
import dev.sheaf.server.idempotency.StoredAnswers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Carries out a POST with an `Idempotency-Key` once. If the request is repeated, it gets the stored answer
/// (contract 1.1). It stores successes, and refusals with 409 or 422.
final class IdempotentPosts {
    private static final Logger LOG = LoggerFactory.getLogger(IdempotentPosts.class);
    private static final String HEADER = "Idempotency-Key";
    private static final int MAX_KEY = 255;
    private static final int MAX_KEPT = 8 << 10;

    private final StoredAnswers memory;
    private final Router router;

    IdempotentPosts(StoredAnswers memory, Router router) {
        this.memory = memory;
        this.router = router;
    }

    /// Returns whether the request is carried out only once. Requests about people are excluded, because they
    /// may contain passwords: not even their fingerprint is stored. POSTs under `/v2` are excluded too: they
    /// begin an upload, or send a blob, which may be too large to store and can be sent again safely. A POST
    /// that counts as a read or as content changes nothing.
    static boolean concerns(Route route, Call call) {
        return route.method() == RouteMethod.POST
                && !isAboutPeople(route)
                && (route.cost() == RequestCost.WRITE || route.cost() == RequestCost.RUNNER)
                && !route.waits()
                && !call.isOfRegistry()
                && call.caller() instanceof Caller.Known
                && call.header(HEADER).isPresent();
    }

    private static boolean isAboutPeople(Route route) {
        return route.need() == RoutePermission.PERSON
                || List.of("/v1/admin/users", "/v1/invitations:accept").contains(route.pattern());
    }

    Answer once(Route route, Call call) {
        var request = new StoredAnswers.Request(call.caller().actor(), key(call), fingerprint(route, call));
        var before = memory.begin(request);
        if (before.isPresent()) {
            return replay(call, before.get());
        }
        Answer answer;
        try {
            answer = refusedForGood(route, call);
        } catch (RuntimeException | Error e) {
            memory.failed(request, e);
            throw e;
        }
        remember(request, answer);
        return answer;
    }

    /// Returns the handler's answer. A refusal with 409 or 422 is an answer too, because a client that repeats
    /// a request wants to know the outcome of the first one. Any other refusal is thrown: nothing was changed,
    /// and the client may try again.
    private static Answer refusedForGood(Route route, Call call) {
        try {
            return route.handler().handle(call);
        } catch (ProblemException e) {
            int status = ProblemJson.status(e.problem());
            if (status == 409 || status == 422) {
                call.refusedFor(e.problem());
                return ProblemJson.render(e.problem(), call);
            }
            throw e;
        }
    }

    /// Returns the key. The draft standard requires a quoted string, but most clients send it without quotes.
    ///
    /// @throws ProblemException bad-request
    private static String key(Call call) {
        var lines = call.headers(HEADER);
        String text = lines.getFirst().strip();
        String bare = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")
                ? text.substring(1, text.length() - 1)
                : text;
        if (lines.size() > 1 || bare.isEmpty() || bare.length() > MAX_KEY || !bare.matches("[!-~]+")) {
            throw new Problem.BadRequest("the header " + HEADER + " must be one value of 1 to " + MAX_KEY
                            + " visible ASCII characters, such as a UUID")
                    .raise();
        }
        return bare;
    }

    /// Returns the fingerprint of the request. Only routes with the write scope may have large bodies. Their
    /// handlers check the size again.
    private static String fingerprint(Route route, Call call) {
        boolean isWrite = route.need() == RoutePermission.WRITE;
        byte[] body = isWrite
                ? call.keepBody("the body (max-push-bytes)", call.sizes().push())
                : call.keepBody("the body (max-json-bytes)", call.sizes().json());
        var whole = new ByteArrayOutputStream();
        whole.writeBytes(
                (call.method() + " " + call.rawPath() + "?" + call.rawQuery() + "\n").getBytes(StandardCharsets.UTF_8));
        whole.writeBytes(Digest.sha256(body).toString().getBytes(StandardCharsets.UTF_8));
        return Digest.sha256(whole.toByteArray()).hex();
    }

    private void remember(StoredAnswers.Request request, Answer answer) {
        try {
            outcome(answer)
                    .ifPresentOrElse(outcome -> memory.succeeded(request, outcome), () -> memory.forget(request));
        } catch (ProblemException e) {
            // The change is made and must be answered. Its key counts as in progress until it expires.
            LOG.warn(
                    "the answer to a request with an idempotency key was not remembered: {}",
                    e.problem().detail());
        }
    }

    private static Optional<StoredAnswer> outcome(Answer answer) {
        byte[] body = switch (answer.body()) {
            case Answer.Body.None none -> new byte[0];
            case Answer.Body.Json json -> Json.write(json.repeated());
            case Answer.Body.Content content -> null;
            case Answer.Body.Live live -> null;
            case Answer.Body.Later later -> null;
        };
        boolean isLarge = body != null && body.length > MAX_KEPT;
        boolean kept = answer.status() < 300 || answer.status() == 409 || answer.status() == 422;
        if (!kept || body == null || isLarge && answer.place().isEmpty()) {
            return Optional.empty();
        }
        var location = answer.headers().stream()
                .filter(header -> header.name().equals("Location"))
                .map(Answer.Header::value)
                .findFirst();
        return Optional.of(new StoredAnswer(
                answer.status(), location.orElse(null), isLarge ? new byte[0] : body, isLarge ? answer.place() : null));
    }

    private Answer replay(Call call, StoredAnswer outcome) {
        var answer = outcome.body().length == 0
                ? read(call, outcome)
                : Answer.bytes(
                        outcome.status(),
                        outcome.status() < 300 ? "application/json" : "application/problem+json",
                        outcome.body());
        var location = outcome.location();
        var placed = location == null ? answer : answer.with("Location", location);
        return placed.with("Idempotency-Replayed", "true").with("Cache-Control", "no-store");
    }

    /// Reads an answer that was too large to be stored. A caller who has lost the access to it is refused.
    private Answer read(Call call, StoredAnswer outcome) {
        var match = outcome.reference() == null ? null : router.find(outcome.reference());
        var route = match == null ? null : match.routes().get(RouteMethod.GET);
        if (match == null || route == null) {
            return Answer.empty(outcome.status());
        }
        call.routed(match.parameters());
        return route.handler().handle(call).body() instanceof Answer.Body.Json json
                ? Answer.json(outcome.status(), json.value())
                : Answer.empty(outcome.status());
    }
}
