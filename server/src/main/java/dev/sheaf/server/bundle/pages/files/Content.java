package dev.sheaf.server.bundle.pages.files;

import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.registry.content.BlobContent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The beginning of a file, and its format.
///
/// @param text the text; null if the file is not text
/// @param isWhole whether the text is all of the file
public record Content(Kind kind, byte[] head, @Nullable String text, boolean isWhole) {
    /// The number of bytes from which the format of a file is recognized.
    static final int HEAD = 4 << 10;
    /// The maximum number of bytes that are read of a text.
    static final int MOST = 1 << 20;

    private static final int COPIES = 8; // bytes, characters, and the attributes of each
    private static final byte[] NOTHING = {};

    /// The way in which a file is shown.
    public enum Kind {
        EMPTY(""),
        TEXT("text/plain; charset=utf-8"),
        PNG("image/png"),
        JPEG("image/jpeg"),
        GIF("image/gif"),
        WEBP("image/webp"),
        BINARY("application/octet-stream");

        private final String type;

        Kind(String type) {
            this.type = type;
        }

        /// Returns the media type for browsers.
        String type() {
            return this == EMPTY ? TEXT.type : type;
        }

        public boolean isImage() {
            return type.startsWith("image/");
        }
    }

    public static Content of(PageCall page, BundleReader bundles, OpenedVersion opened, Layer file) {
        if (file.sizeBytes() == 0) {
            return new Content(Kind.EMPTY, NOTHING, "", true);
        }
        var content = opened.content(bundles, file);
        byte[] head = read(content, HEAD);
        var kind = kind(head, file.sizeBytes() <= HEAD);
        if (kind != Kind.TEXT) {
            return new Content(kind, head, null, false);
        }
        long most = Math.min(file.sizeBytes(), MOST);
        page.call().borrow("the file " + file.logicalPath(), most, COPIES);
        byte[] bytes = most <= HEAD ? head : read(content, MOST);
        boolean isWhole = file.sizeBytes() <= MOST;
        String text = text(bytes, isWhole);
        return text == null ? new Content(Kind.BINARY, head, null, false) : new Content(Kind.TEXT, head, text, isWhole);
    }

    /// Returns the beginning of a file.
    static byte[] read(BlobContent content, int most) {
        int length = (int) Math.min(most, content.length());
        var bytes = new ByteArrayOutputStream(length);
        try {
            content.writeTo(bytes, 0, length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static Kind kind(byte[] head, boolean isWhole) {
        for (var format : Format.values()) {
            if (format.begins(head)) {
                return format.kind;
            }
        }
        return text(head, isWhole) == null ? Kind.BINARY : Kind.TEXT;
    }

    /// The first bytes of files of a format; a question mark is any byte.
    private enum Format {
        PNG(Kind.PNG, "\u0089PNG\r\n\u001A\n"),
        JPEG(Kind.JPEG, "\u00FF\u00D8\u00FF"),
        GIF_87(Kind.GIF, "GIF87a"),
        GIF_89(Kind.GIF, "GIF89a"),
        WEBP(Kind.WEBP, "RIFF????WEBP"),
        PDF(Kind.BINARY, "%PDF-");

        private final Kind kind;
        private final byte[] mark;

        Format(Kind kind, String mark) {
            this.kind = kind;
            this.mark = mark.getBytes(StandardCharsets.ISO_8859_1);
        }

        boolean begins(byte[] head) {
            boolean same = head.length >= mark.length;
            for (int i = 0; same && i < mark.length; i++) {
                same = mark[i] == '?' || mark[i] == head[i];
            }
            return same;
        }
    }

    /// Returns the text; null if the bytes are not UTF-8 or contain a NUL.
    private static @Nullable String text(byte[] bytes, boolean isWhole) {
        var in = ByteBuffer.wrap(bytes);
        var out = CharBuffer.allocate(bytes.length);
        boolean bad =
                StandardCharsets.UTF_8.newDecoder().decode(in, out, isWhole).isError();
        String text = bad ? "" : new String(out.array(), 0, out.position());
        return bad || text.indexOf('\0') >= 0 ? null : text;
    }

    /// Returns a hex dump of the beginning of a binary file.
    String hex() {
        var hex = new StringBuilder();
        for (int at = 0; at < head.length; at += 16) {
            byte[] row = Arrays.copyOfRange(head, at, Math.min(head.length, at + 16));
            hex.append(String.format("%08x ", at));
            for (int i = 0; i < 16; i++) {
                hex.append(i == 8 ? " " : "").append(i < row.length ? String.format(" %02x", row[i]) : "   ");
            }
            hex.append("  ");
            for (byte octet : row) {
                hex.append(octet >= 0x20 && octet < 0x7F ? (char) octet : '.');
            }
            hex.append('\n');
        }
        return hex.toString();
    }
}
