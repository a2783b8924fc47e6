package dev.sheaf.server.http.routing;

import dev.sheaf.engine.http.ResponseHead;
import dev.sheaf.server.http.message.Answer;

/// Headers that restrict what browsers do with an answer.
final class SecurityHeaders {
    private static final String HTML = "text/html";
    private static final String SVG = "image/svg";
    private static final Answer.Header NOSNIFF = new Answer.Header("X-Content-Type-Options", "nosniff");
    private static final Answer.Header NO_REFERRER = new Answer.Header("Referrer-Policy", "no-referrer");
    /// For pages. With `no-referrer`, browsers would send forms with `Origin: null`.
    private static final Answer.Header REFERRER_HERE = new Answer.Header("Referrer-Policy", "same-origin");

    private static final Answer.Header OWN = new Answer.Header("Cross-Origin-Resource-Policy", "same-origin");
    private static final Answer.Header ANY = new Answer.Header("Cross-Origin-Resource-Policy", "cross-origin");
    /// For pages: no page of another site keeps a hold on the window.
    private static final Answer.Header ALONE = new Answer.Header("Cross-Origin-Opener-Policy", "same-origin");
    private static final Answer.Header HSTS = new Answer.Header("Strict-Transport-Security", "max-age=31536000");
    private static final Answer.Header NO_FRAME = new Answer.Header("X-Frame-Options", "DENY");
    private static final Answer.Header NOTHING =
            new Answer.Header("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
    private static final Answer.Header CLOSED = new Answer.Header(
            "Content-Security-Policy",
            "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");

    private SecurityHeaders() {}

    /// @param shared whether shared caches may store the answer; then it contains nothing private, and other
    /// sites may embed it, such as a badge
    static void apply(Answer answer, boolean shared, boolean secure, ResponseHead response) {
        set(NOSNIFF, response);
        boolean isPage = answer.body() instanceof Answer.Body.Content page
                && page.mediaType().startsWith(HTML);
        set(isPage ? REFERRER_HERE : NO_REFERRER, response);
        if (isPage) {
            set(ALONE, response);
        }
        set(shared ? ANY : OWN, response);
        if (secure) {
            set(HSTS, response);
        }
        if (answer.body() instanceof Answer.Body.Content content
                && (content.mediaType().startsWith(HTML) || content.mediaType().startsWith(SVG))) {
            set(NO_FRAME, response);
            set(NOTHING, response);
            if (!response.contains(CLOSED.name())) {
                set(CLOSED, response);
            }
        }
    }

    private static void set(Answer.Header header, ResponseHead response) {
        response.set(header.name(), header.value());
    }
}
