package dev.sheaf.server.webhook;

import dev.sheaf.engine.net.OutgoingClient;
import dev.sheaf.engine.net.OutgoingClient.Call;
import dev.sheaf.engine.net.OutgoingClient.Limits;
import dev.sheaf.engine.net.OutgoingClient.Reply;
import dev.sheaf.model.key.Secret;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Sends one event to one receiver, once. Thread-safe.
public final class Sender {
    private static final Limits LIMITS = new Limits(Duration.ofSeconds(15), 64 << 10);
    private static final Duration LONGEST_WISH = Duration.ofHours(24);
    private static final int ANSWER = 1_024;
    private static final String EXPIRED = "the event has expired";

    private final OutgoingClient client;
    private final WebhookSigner signer;
    private final WebhookSecrets secrets;

    public Sender(OutgoingClient client, WebhookSigner signer, WebhookSecrets secrets) {
        this.client = client;
        this.signer = signer;
        this.secrets = secrets;
    }

    /// The result of an attempt.
    ///
    /// @param status the status of the response; null if there was no response
    /// @param answer the first bytes of its body as text
    /// @param error why the attempt failed; null if it succeeded
    /// @param retryAfter the time before which the receiver wants no requests; null if it did not say
    record Result(
            Instant at,
            long milliseconds,
            @Nullable Integer status,
            @Nullable String answer,
            @Nullable String error,
            @Nullable Instant retryAfter) {
        /// Returns the result for an event that no longer exists.
        static Result expired(Instant now) {
            return new Result(now, 0, null, null, EXPIRED, null);
        }

        boolean isExpired() {
            return EXPIRED.equals(error);
        }

        boolean isDelivered() {
            return error == null;
        }

        /// Returns whether the receiver never wants requests again.
        boolean isGone() {
            return status != null && status == 410;
        }
    }

    /// @param id the id of the event
    Result send(WebhookRow webhook, UUID id, byte[] body, Instant now) {
        long since = System.nanoTime();
        try {
            var headers = new LinkedHashMap<String, String>();
            if (webhook.headers() != null) {
                headers.putAll(secrets.headers(webhook.id(), webhook.headers()).values());
            }
            headers.put("Content-Type", "application/json");
            headers.putAll(signer.headers(id, now, body, secrets(webhook, now)));
            var reply = client.send(new Call(
                    "POST",
                    URI.create(webhook.url()),
                    headers,
                    body,
                    LIMITS,
                    webhook.organizationId().toString()));
            return result(reply, now, milliseconds(since));
        } catch (IOException | IllegalStateException e) {
            return new Result(now, milliseconds(since), null, null, error(e), null);
        }
    }

    private static long milliseconds(long since) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
    }

    private static String error(Exception e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : clean(message);
    }

    private List<Secret> secrets(WebhookRow webhook, Instant now) {
        var all = new ArrayList<Secret>();
        all.add(secrets.open(webhook.id(), webhook.secret()));
        if (webhook.oldSecret() != null
                && webhook.oldUntil() != null
                && webhook.oldUntil().isAfter(now)) {
            all.add(secrets.open(webhook.id(), webhook.oldSecret()));
        }
        return all;
    }

    private static Result result(Reply reply, Instant now, long milliseconds) {
        int status = reply.status();
        byte[] body = reply.body();
        String answer = clean(new String(body, 0, Math.min(body.length, ANSWER), StandardCharsets.UTF_8));
        @Nullable String error = null;
        if (status / 100 == 3) {
            error = "answered " + status + "; redirects are not followed";
        } else if (status / 100 != 2) {
            error = "answered " + status;
        }
        boolean isWish = status == 429 || status == 503;
        return new Result(now, milliseconds, status, answer, error, isWish ? retryAfter(reply, now) : null);
    }

    /// Databases do not accept NUL.
    private static String clean(String text) {
        String clean = text.replace('\0', '\uFFFD');
        return clean.length() > ANSWER ? clean.substring(0, ANSWER) : clean;
    }

    /// Parses seconds or a date (RFC 9110, section 10.2.3). The maximum is a day.
    private static @Nullable Instant retryAfter(Reply reply, Instant now) {
        String wish = reply.header("retry-after").orElse("").strip();
        try {
            var latest = now.plus(LONGEST_WISH);
            if (wish.matches("[0-9]{10,}")) {
                return latest;
            }
            var at = wish.matches("[0-9]+")
                    ? now.plusSeconds(Long.parseLong(wish))
                    : ZonedDateTime.parse(wish, DateTimeFormatter.RFC_1123_DATE_TIME.withLocale(Locale.ROOT))
                            .toInstant();
            return at.isAfter(latest) ? latest : at;
        } catch (DateTimeException e) {
            return null;
        }
    }
}
