package dev.sheaf.server.console.files;

import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;

/// The bytes of files, for browsers that may do nothing with them: texts as plain ones, images, and everything else to
/// be kept as a file.
public final class RawPages {
    private static final String POLICY = "default-src 'none'; sandbox";
    private static final byte[] NOTHING = {};

    private final Bundles bundles;

    public RawPages(Bundles bundles) {
        this.bundles = bundles;
    }

    public List<Route> routes(Pages pages) {
        return List.of(pages.open("/{namespace}/{bundle}/versions/{version}/raw/{path...}", this::raw));
    }

    private Answer raw(PageCall page) {
        var opened = Opened.of(page, bundles);
        var file = opened.file(page.parameter("path"));
        byte[] head = file.sizeBytes() == 0 ? NOTHING : Content.read(page, opened, file, Content.HEAD);
        var kind = Content.kind(head, file.sizeBytes() <= Content.HEAD);
        var headers = new HashMap<String, String>();
        headers.put("accept", "application/octet-stream");
        page.call().header("If-None-Match").ifPresent(tag -> headers.put("if-none-match", tag));
        var answer = page.api().answer(Method.GET, opened.asset(file.logicalPath()), headers, NOTHING);
        var sent = answer.body() instanceof Answer.Body.Content content
                ? Answer.content(200, kind.type(), content.length(), content.writer())
                : Answer.empty(answer.status());
        String name = page.parameter("path").substring(page.parameter("path").lastIndexOf('/') + 1);
        return sent.with("ETag", "\"sha256:" + file.contentSha256() + "\"")
                .with("Content-Security-Policy", POLICY)
                .with("Content-Disposition", disposition(kind, name))
                .with("Cache-Control", "private, no-cache")
                .with("Vary", "Cookie");
    }

    /// RFC 6266, with the name as RFC 8187 writes it.
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
