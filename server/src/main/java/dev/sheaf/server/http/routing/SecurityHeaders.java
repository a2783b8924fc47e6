package dev.sheaf.server.http.routing;

import dev.sheaf.server.http.message.Answer;
import io.helidon.http.Header;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.http.ServerResponse;

/// Headers that restrict what browsers do with an answer.
final class SecurityHeaders {
    private static final String HTML = "text/html";
    private static final String SVG = "image/svg";
    private static final Header NOSNIFF = HeaderValues.createCached("X-Content-Type-Options", "nosniff");
    private static final Header NO_REFERRER = HeaderValues.createCached("Referrer-Policy", "no-referrer");
    /// For pages. With `no-referrer`, browsers would send forms with `Origin: null`.
    private static final Header REFERRER_HERE = HeaderValues.createCached("Referrer-Policy", "same-origin");

    private static final Header OWN = HeaderValues.createCached("Cross-Origin-Resource-Policy", "same-origin");
    private static final Header ANY = HeaderValues.createCached("Cross-Origin-Resource-Policy", "cross-origin");
    /// For pages: no page of another site keeps a hold on the window.
    private static final Header ALONE = HeaderValues.createCached("Cross-Origin-Opener-Policy", "same-origin");
    private static final Header HSTS = HeaderValues.createCached("Strict-Transport-Security", "max-age=31536000");
    private static final Header NO_FRAME = HeaderValues.createCached("X-Frame-Options", "DENY");
    private static final Header NOTHING = HeaderValues.createCached(
            "Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
    private static final Header CLOSED = HeaderValues.createCached(
            "Content-Security-Policy",
            "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");

    private SecurityHeaders() {}

    /// @param shared whether shared caches may store the answer; then it contains nothing private, and other
    /// sites may embed it, such as a badge
    static void apply(Answer answer, boolean shared, boolean secure, ServerResponse response) {
        response.header(NOSNIFF);
        boolean isPage = answer.body() instanceof Answer.Body.Content page
                && page.mediaType().startsWith(HTML);
        response.header(isPage ? REFERRER_HERE : NO_REFERRER);
        if (isPage) {
            response.header(ALONE);
        }
        response.header(shared ? ANY : OWN);
        if (secure) {
            response.header(HSTS);
        }
        if (answer.body() instanceof Answer.Body.Content content
                && (content.mediaType().startsWith(HTML) || content.mediaType().startsWith(SVG))) {
            response.header(NO_FRAME);
            response.header(NOTHING);
            if (!response.headers().contains(CLOSED.headerName())) {
                response.header(CLOSED);
            }
        }
    }
}
