package dev.sheaf.server.webhook;

import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.key.KeyRestrictions;
import dev.sheaf.server.auth.Restrictions;
import dev.sheaf.server.input.Fields;
import dev.sheaf.server.net.Reach;
import dev.sheaf.server.net.Targets;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What an organization says of a webhook.
///
/// @param rate most requests a second; null: any number
/// @param restrictions to some namespaces or bundles: what is not about these is not sent
public record WebhookSettings(
        String url,
        @Nullable String description,
        OwnHeaders headers,
        @Nullable Integer rate,
        EventTypes types,
        Restrictions restrictions,
        boolean enabled) {
    private static final int HTTP = 80;
    private static final int HTTPS = 443;
    private static final int MAX_URL = 2_000;
    private static final int MAX_DESCRIPTION = 1_000;
    private static final int MAX_RATE = 1_000;
    private static final Set<String> MEMBERS = Set.of(
            "url", "description", "headers", "rateLimit", "eventTypes", "namespaces", "bundles", "enabled", "secret");

    /// Those of a new webhook.
    ///
    /// @param reach where webhooks may go
    static WebhookSettings parse(Fields fields, Reach reach) {
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

    /// These with what a merge patch (RFC 7396) changes. Headers that were for one receiver are not sent to another.
    WebhookSettings patched(Fields fields, Reach reach) {
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

    private static String url(Fields fields, Reach reach) {
        String text = fields.required("url", MAX_URL);
        if (!text.isEmpty()) {
            fields.check("url", () -> checkTarget(text, reach));
        }
        return text;
    }

    private static void checkTarget(String text, Reach reach) {
        try {
            var objection = Targets.objection(new URI(text), reach);
            if (objection.isPresent()) {
                throw Problem.invalid("range", objection.get());
            }
        } catch (URISyntaxException e) {
            throw Problem.invalid("format", "must be a URL such as https://hooks.example.org/sheaf (RFC 3986)");
        }
    }

    /// Scheme, host and port; empty of what is no URL, which is refused.
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

    private static @Nullable Integer rate(Fields fields) {
        Long rate = fields.count("rateLimit");
        if (rate != null && (rate == 0 || rate > MAX_RATE)) {
            fields.error("rateLimit", "range", "must be a number of requests a second from 1 to " + MAX_RATE);
        }
        return rate == null ? null : rate.intValue();
    }

    private static Restrictions restrictions(Fields fields) {
        return restrictions(fields, null);
    }

    private static Restrictions restrictions(Fields fields, @Nullable KeyRestrictions before) {
        var namespaces =
                before == null || fields.sent("namespaces") ? given(fields, "namespaces") : before.namespaces();
        var bundles = before == null || fields.sent("bundles") ? given(fields, "bundles") : before.bundles();
        var wire = new KeyRestrictions(namespaces, bundles, null);
        return fields.checked("", () -> Restrictions.parse(wire), Restrictions.NONE);
    }

    /// An empty list confines nothing.
    private static @Nullable List<String> given(Fields fields, String name) {
        var given = fields.texts(name);
        return given == null || given.isEmpty() ? null : given;
    }

    /// The host that it is sent to: what of the URL may be told to others and to the log.
    static String host(String url) {
        return Objects.requireNonNullElse(URI.create(url).getHost(), "");
    }
}
