package dev.sheaf.client.pull;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.cache.AnswerCache;
import dev.sheaf.client.cache.AnswerCache.Kept;
import dev.sheaf.client.cache.AnswerCache.Question;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.HttpReply;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.Digest;
import dev.sheaf.model.VersionSelector;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Resolves references: from the last answer if it is recent enough, else with a request to the registry. The
/// request contains the entity tag of the cached answer, so the registry does not send the same answer again
/// (RFC 9110, section 13.1.2).
final class ReferenceResolver {
    /// An entity tag (RFC 9110, section 8.8.3) of a plausible length.
    private static final Pattern ETAG = Pattern.compile("(?:W/)?\"[\\x21\\x23-\\x7e]{1,200}\"");

    private final RegistryTransport transport;
    private final AnswerCache answers;
    private final InstantSource clock;

    ReferenceResolver(RegistryTransport transport, AnswerCache answers, InstantSource clock) {
        this.transport = transport;
        this.answers = answers;
        this.clock = clock;
    }

    /// Resolves a question.
    ///
    /// @param refresh whether to send a request even if the last answer is recent
    /// @param verbatim whether to require an answer to exactly this question, not to another one with the same
    /// meaning
    Kept resolve(Question question, boolean refresh, boolean verbatim) {
        var kept = answers.find(question)
                .filter(answer -> ResolvedBundle.isAbout(question.reference(), answer.resolution()));
        boolean good = !refresh
                && kept.isPresent()
                && (!verbatim || kept.get().etag() != null)
                && answers.isFresh(question, kept.get(), clock.instant());
        if (good) {
            return kept.get();
        }
        try {
            var fresh = ask(
                    question, kept.orElse(null), attempt -> transport.retries().run(true, attempt));
            remember(question, fresh);
            return fresh;
        } catch (SheafException.NotFound | SheafException.Unauthenticated | SheafException.Forbidden e) {
            answers.forget(question); // so that it is not used offline either
            throw e;
        }
    }

    /// Sends one request, and does not repeat it if it fails.
    Kept askOnce(Question question) {
        var fresh = ask(
                question,
                answers.find(question)
                        .filter(answer -> ResolvedBundle.isAbout(question.reference(), answer.resolution()))
                        .orElse(null),
                Supplier::get);
        remember(question, fresh);
        return fresh;
    }

    private void remember(Question question, Kept answer) {
        if (!ResolvedBundle.isAbout(question.reference(), answer.resolution())) {
            return; // a wrong answer, which the caller reports
        }
        try {
            answers.remember(question, answer);
        } catch (IOException e) {
            // not cached, so the next pull sends a request again
        }
    }

    private Kept ask(Question question, @Nullable Kept kept, Function<Supplier<Kept>, Kept> repeating) {
        String etag = kept == null ? null : kept.etag();
        var call = HttpCall.get(address(question))
                .header("Accept", RegistryTransport.JSON)
                .expecting(200, 304);
        var conditional = etag != null && ETAG.matcher(etag).matches() ? call.header("If-None-Match", etag) : call;
        return repeating.apply(() -> attempt(conditional, kept));
    }

    private Kept attempt(HttpCall call, @Nullable Kept kept) {
        var asked = clock.instant();
        try (HttpReply reply = transport.once(call)) {
            if (reply.status() == 304) {
                if (kept == null || !call.headers().containsKey("If-None-Match")) {
                    throw new SheafException.Server("the registry answered 304 to a request without a condition");
                }
                return new Kept(asked, kept.etag(), kept.document(), kept.resolution());
            }
            Optional<String> etag =
                    reply.header("ETag").filter(text -> ETAG.matcher(text).matches());
            return Kept.of(
                    asked,
                    etag.orElse(null),
                    WireJson.document(reply.bytes(RegistryTransport.LONGEST_JSON), "Resolution"));
        } catch (IOException e) {
            throw transport.broken(e);
        }
    }

    private URI address(Question question) {
        var repository = question.reference().repository();
        String query = switch (question.reference().selector()) {
            case VersionSelector.Default any -> "";
            case VersionSelector.ByDigest(Digest digest) -> "&digest=" + HttpCall.encode(digest.toString());
            case VersionSelector.ByVersion by -> "&version=" + HttpCall.encode(by.toString());
            case VersionSelector.ByTag by -> "&version=" + HttpCall.encode(by.toString());
            case VersionSelector.ByRange by -> "&version=" + HttpCall.encode(by.toString());
        };
        if (question.minAge() != null) {
            query += "&minAge=" + HttpCall.encode(question.minAge().toString());
        }
        return transport.at(repository, ":resolve" + (query.isEmpty() ? "" : "?" + query.substring(1)));
    }
}
