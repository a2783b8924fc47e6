package dev.sheaf.server.webhook;

import dev.sheaf.engine.net.OutgoingClient;
import dev.sheaf.engine.net.OutgoingClient.Call;
import dev.sheaf.engine.net.OutgoingClient.Limits;
import dev.sheaf.engine.net.OutgoingClient.Reply;
import dev.sheaf.model.key.Secret;
import java.io.IOException;
import java.net.URI;
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
    private static final int LONGEST_ERROR = 1_024;
    private static final String HIDDEN = "(not shown)";
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
    /// @param answer what is stored of the response; null if there was none
    /// @param sent the headers of the request, one a line, without secrets
    /// @param error why the attempt failed; null if it succeeded
    /// @param retryAfter the time before which the receiver wants no requests; null if it did not say
    record Result(
            Instant at,
            long milliseconds,
            @Nullable Integer status,
            @Nullable KeptAnswer answer,
            @Nullable String sent,
            @Nullable String error,
            @Nullable Instant retryAfter) {
        /// Returns the result for an event that no longer exists.
        static Result expired(Instant now) {
            return new Result(now, 0, null, null, null, EXPIRED, null);
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
        var shown = new LinkedHashMap<String, String>();
        try {
            var headers = new LinkedHashMap<String, String>();
            if (webhook.headers() != null) {
                headers.putAll(secrets.headers(webhook.id(), webhook.headers()).values());
            }
            headers.keySet().forEach(name -> shown.put(name.toLowerCase(Locale.ROOT), HIDDEN));
            var own = new LinkedHashMap<String, String>();
            own.put("Content-Type", "application/json");
            own.putAll(signer.headers(id, now, body, secrets(webhook, now)));
            own.forEach((name, value) -> shown.put(name.toLowerCase(Locale.ROOT), value));
            headers.putAll(own);
            var reply = client.send(new Call(
                    "POST",
                    URI.create(webhook.url()),
                    headers,
                    body,
                    LIMITS,
                    webhook.organizationId().toString()));
            return result(reply, KeptAnswer.lines(shown), now, milliseconds(since));
        } catch (IOException | IllegalStateException e) {
            return new Result(now, milliseconds(since), null, null, KeptAnswer.lines(shown), error(e), null);
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

    private static Result result(Reply reply, String sent, Instant now, long milliseconds) {
        int status = reply.status();
        @Nullable String error = null;
        if (status / 100 == 3) {
            error = "answered " + status + "; redirects are not followed";
        } else if (status / 100 != 2) {
            error = "answered " + status;
        }
        boolean isWish = status == 429 || status == 503;
        return new Result(
                now,
                milliseconds,
                status,
                KeptAnswer.of(reply),
                error == null ? null : sent,
                error,
                isWish ? retryAfter(reply, now) : null);
    }

    /// Databases do not accept NUL.
    private static String clean(String text) {
        String clean = text.replace('\0', '\uFFFD');
        return clean.length() > LONGEST_ERROR ? clean.substring(0, LONGEST_ERROR) : clean;
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
