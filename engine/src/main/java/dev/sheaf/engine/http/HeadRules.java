package dev.sheaf.engine.http;

import dev.sheaf.model.Problem;
import dev.sheaf.model.RequestHeadFault;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.net.Inet6Address;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What Netty's decoder does not check in a head (RFC 9112, sections 2, 3, 5 and 6). A malformed head is refused as a
/// whole, because a proxy may have read it differently.
final class HeadRules {
    static final int MAX_LINE = 8 << 10;
    static final int MAX_FIELDS = 32 << 10;
    private static final int MAX_COUNT = 200;
    private static final Pattern LENGTH = Pattern.compile("\\d{1,18}");
    private static final Pattern CODINGS = Pattern.compile(".*[^,\\s]\\s*,\\s*chunked", Pattern.CASE_INSENSITIVE);

    private HeadRules() {}

    /// Returns why a head of HTTP/1 is refused; null if it is not.
    static @Nullable Problem fault(HttpRequest head) {
        var headers = head.headers();
        if (head.decoderResult().isFailure()) {
            return switch (head.decoderResult().cause()) {
                case TooLongHttpLineException e ->
                    new Problem.HeadUnfit(
                            RequestHeadFault.URI_TOO_LONG,
                            "the first line of the request is over the limit of " + MAX_LINE + " bytes");
                case TooLongHttpHeaderException e -> tooLarge();
                case Throwable e -> malformed("its first line or one of its headers is malformed");
            };
        }
        if (headers.size() > MAX_COUNT) {
            return tooLarge();
        }
        if (head.protocolVersion() != HttpVersion.HTTP_1_1 && head.protocolVersion() != HttpVersion.HTTP_1_0) {
            return new Problem.HeadUnfit(
                    RequestHeadFault.VERSION_UNSUPPORTED, "only HTTP/1.1 and HTTP/1.0 are supported");
        }
        for (int i = 0; i < head.uri().length(); i++) {
            if (head.uri().charAt(i) < ' ' || head.uri().charAt(i) == 0x7f) {
                return malformed("its path contains control characters; encode them");
            }
        }
        var lengths = headers.getAll(HttpHeaderNames.CONTENT_LENGTH);
        if (lengths.size() > 1
                || lengths.size() == 1 && !LENGTH.matcher(lengths.getFirst()).matches()) {
            return malformed("its Content-Length is not a number, or it has two");
        }
        var codings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
        if (codings.size() == 1 && CODINGS.matcher(codings.getFirst()).matches()) {
            return new Problem.HeadUnfit(
                    RequestHeadFault.CODING_UNKNOWN, "the only supported transfer coding is chunked");
        }
        if (!codings.isEmpty()
                && (codings.size() > 1 || !codings.getFirst().equalsIgnoreCase("chunked") || !lengths.isEmpty())) {
            return malformed("its Transfer-Encoding is not chunked, or is not allowed here");
        }
        return hosts(head);
    }

    private static @Nullable Problem hosts(HttpRequest head) {
        var hosts = head.headers().getAll(HttpHeaderNames.HOST);
        if (hosts.isEmpty()) {
            return head.protocolVersion() == HttpVersion.HTTP_1_0 ? null : malformed("it has no Host");
        }
        return hosts.size() > 1 || !isHost(hosts.getFirst())
                ? malformed(hosts.size() > 1 ? "it has two Hosts" : "its Host is not valid")
                : null;
    }

    /// Returns whether the text is a host, perhaps with a port (RFC 3986, section 3.2). Each request has one, so it is
    /// read without a pattern.
    private static boolean isHost(String host) {
        boolean bracketed = host.startsWith("[");
        int end = bracketed ? host.indexOf(']') + 1 : 0;
        while (!bracketed && end < host.length() && isOfName(host.charAt(end))) {
            end++;
        }
        return end > 0 && isPort(host, end) && (!bracketed || isAddress(host.substring(1, end - 1)));
    }

    private static boolean isOfName(char c) {
        return c >= 'a' && c <= 'z'
                || c >= 'A' && c <= 'Z'
                || c >= '0' && c <= '9'
                || "._~!$&'()*+,;=-".indexOf(c) >= 0;
    }

    /// Returns whether nothing follows, or a colon and at most five digits.
    private static boolean isPort(String host, int start) {
        for (int i = start + 1; i < host.length(); i++) {
            if (host.charAt(i) < '0' || host.charAt(i) > '9') {
                return false;
            }
        }
        return start == host.length() || host.charAt(start) == ':' && host.length() - start <= 6;
    }

    private static boolean isAddress(String name) {
        try {
            return name.indexOf('%') < 0 && Inet6Address.ofLiteral(name) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static Problem tooLarge() {
        return new Problem.HeadUnfit(
                RequestHeadFault.FIELDS_TOO_LARGE,
                "the headers of the request are over the limit of " + MAX_FIELDS + " bytes, or more than " + MAX_COUNT);
    }

    private static Problem malformed(String why) {
        return new Problem.BadRequest("not a valid HTTP/1.1 request: " + why);
    }
}
