package dev.sheaf.server.webhook;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.net.AllowedTargets;
import dev.sheaf.engine.net.TargetPolicy;
import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.key.KeyRestrictions;
import dev.sheaf.server.auth.CredentialRestrictions;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The settings of a webhook.
///
/// @param rate the most requests a second; null for no limit
/// @param restrictions limits the events to some namespaces or bundles
public record WebhookSettings(
        String url,
        @Nullable String description,
        OwnHeaders headers,
        @Nullable Integer rate,
        EventTypes types,
        CredentialRestrictions restrictions,
        boolean enabled) {
    private static final int HTTP = 80;
    private static final int HTTPS = 443;
    private static final int MAX_URL = 2_000;
    private static final int MAX_DESCRIPTION = 1_000;
    private static final int MAX_RATE = 1_000;
    private static final Set<String> MEMBERS = Set.of(
            "url", "description", "headers", "rateLimit", "eventTypes", "namespaces", "bundles", "enabled", "secret");

    /// Parses the settings of a new webhook.
    ///
    /// @param reach where webhooks may send requests
    static WebhookSettings parse(RequestFields fields, AllowedTargets reach) {
        fields.only(MEMBERS);
        return new WebhookSettings(
                url(fields, reach),
                fields.optional("description", MAX_DESCRIPTION),
                OwnHeaders.parse(fields),
                rate(fields),
                EventTypes.parse(fields),
                restrictions(fields),
                !Boolean.FALSE.equals(fields.flag("enabled")));
    }

    /// Applies a merge patch (RFC 7396). If the receiver changes, headers for the old one are not sent to the
    /// new one.
    WebhookSettings patched(RequestFields fields, AllowedTargets reach) {
        fields.only(MEMBERS);
        if (fields.sent("secret")) {
            fields.error("secret", "immutable", "cannot be changed; POST …:rotate-secret makes a new one");
        }
        boolean confines = fields.sent("namespaces") || fields.sent("bundles");
        String to = fields.sent("url") ? url(fields, reach) : url;
        var kept = origin(to).equals(origin(url)) ? headers : OwnHeaders.NONE;
        return new WebhookSettings(
                to,
                fields.sent("description") ? fields.optional("description", MAX_DESCRIPTION) : description,
                fields.sent("headers") ? OwnHeaders.parse(fields) : kept,
                fields.sent("rateLimit") ? rate(fields) : rate,
                fields.sent("eventTypes") ? EventTypes.parse(fields) : types,
                confines ? restrictions(fields, restrictions.toWire()) : restrictions,
                fields.sent("enabled") ? !Boolean.FALSE.equals(fields.flag("enabled")) : enabled);
    }

    private static String url(RequestFields fields, AllowedTargets reach) {
        String text = fields.required("url", MAX_URL);
        if (!text.isEmpty()) {
            fields.check("url", () -> checkTarget(text, reach));
        }
        return text;
    }

    private static void checkTarget(String text, AllowedTargets reach) {
        try {
            var objection = TargetPolicy.objection(new URI(text), reach);
            if (objection.isPresent()) {
                throw Problem.invalid("range", objection.get());
            }
        } catch (URISyntaxException e) {
            throw Problem.invalid("format", "must be a URL such as https://hooks.example.org/sheaf (RFC 3986)");
        }
    }

    /// Returns scheme, host and port. Empty for an invalid URL, which is refused elsewhere.
    private static String origin(String text) {
        try {
            var url = new URI(text);
            String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
            int usual = scheme.equals("https") ? HTTPS : HTTP;
            return scheme + "://" + String.valueOf(url.getHost()).toLowerCase(Locale.ROOT) + ":"
                    + (url.getPort() < 0 ? usual : url.getPort());
        } catch (URISyntaxException e) {
            return "";
        }
    }

    private static @Nullable Integer rate(RequestFields fields) {
        Long rate = fields.count("rateLimit");
        if (rate != null && (rate == 0 || rate > MAX_RATE)) {
            fields.error("rateLimit", "range", "must be a number of requests a second from 1 to " + MAX_RATE);
        }
        return rate == null ? null : rate.intValue();
    }

    private static CredentialRestrictions restrictions(RequestFields fields) {
        return restrictions(fields, null);
    }

    private static CredentialRestrictions restrictions(RequestFields fields, @Nullable KeyRestrictions before) {
        var namespaces =
                before == null || fields.sent("namespaces") ? given(fields, "namespaces") : before.namespaces();
        var bundles = before == null || fields.sent("bundles") ? given(fields, "bundles") : before.bundles();
        var wire = new KeyRestrictions(namespaces, bundles, null);
        return fields.checked("", () -> CredentialRestrictions.parse(wire), CredentialRestrictions.NONE);
    }

    /// Parses a list of restrictions. An empty list restricts nothing.
    private static @Nullable List<String> given(RequestFields fields, String name) {
        var given = fields.texts(name);
        return given == null || given.isEmpty() ? null : given;
    }

    /// Returns the host of the receiver. Only this part of the URL may be shown to others and in logs.
    static String host(String url) {
        return Objects.requireNonNullElse(URI.create(url).getHost(), "");
    }
}
