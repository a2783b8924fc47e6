package dev.sheaf.server.bundle.pages.files;

import dev.sheaf.model.Digest;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.ConditionalRead;
import dev.sheaf.server.http.message.Route;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Sends the bytes of files to browsers, which must not run them: texts as plain text, images as images, and
/// everything else as a download.
public final class RawPages {
    private static final String POLICY = "default-src 'none'; sandbox";
    private static final byte[] NOTHING = {};

    private final BundleReader bundles;

    public RawPages(BundleReader bundles) {
        this.bundles = bundles;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(pages.validating("/{namespace}/{bundle}/versions/{version}/raw/{path...}", this::raw));
    }

    private Answer raw(PageCall page) {
        var opened = OpenedVersion.of(page, bundles);
        var file = opened.file(page.parameter("path"));
        var digest = Digest.ofSha256Hex(file.contentSha256());
        if (ConditionalRead.isUnmodified(page.call(), digest)) {
            return validated(Answer.empty(304), digest);
        }
        page.call().pay();
        var content = opened.content(bundles, file);
        byte[] head = file.sizeBytes() == 0 ? NOTHING : Content.read(content, Content.HEAD);
        var kind = Content.kind(head, file.sizeBytes() <= Content.HEAD);
        long size = content.length();
        var sent = Answer.content(200, kind.type(), size, out -> content.writeTo(out, 0, size));
        String name = page.parameter("path").substring(page.parameter("path").lastIndexOf('/') + 1);
        return validated(sent, digest).with("Content-Disposition", disposition(kind, name));
    }

    private static Answer validated(Answer answer, Digest digest) {
        return answer.with("ETag", ConditionalRead.etag(digest))
                .with("Content-Security-Policy", POLICY)
                .with("Cache-Control", "private, no-cache")
                .with("Vary", "Cookie");
    }

    /// Returns the header of RFC 6266, with the name encoded by RFC 8187.
    private static String disposition(Content.Kind kind, String name) {
        var encoded = new StringBuilder();
        for (byte octet : name.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (octet & 0xFF);
            boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || "-._".indexOf(c) >= 0);
            encoded.append(plain ? String.valueOf(c) : String.format("%%%02X", (int) c));
        }
        return (kind == Content.Kind.BINARY ? "attachment" : "inline") + "; filename*=UTF-8''" + encoded;
    }
}
