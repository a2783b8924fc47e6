package dev.sheaf.engine.blob.s3;

import dev.sheaf.engine.blob.DraftId;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The state of a draft in a bucket: parts of a multipart upload, then a tail that is too small for a part. The
/// draft's handle contains the whole state, so the row with the handle decides which bytes count.
///
/// @param upload null if no part has been uploaded
/// @param parts the parts in the order of their numbers
record S3Draft(@Nullable Multipart upload, List<Part> parts, Tail tail) {
    private static final String NONE = "";
    private static final int BRIEF = 3;

    S3Draft {
        parts = List.copyOf(parts);
    }

    /// A multipart upload: the `part` of its future object, and the server's upload id.
    record Multipart(String object, String id) {}

    /// An uploaded part as it must be named to complete the upload. If the part was uploaded again under its
    /// number, the tag differs and the server refuses.
    ///
    /// @param checksum empty if the server does not compute one
    record Part(int number, long size, String tag, String checksum) {
        @Override
        public String toString() {
            return number + ":" + size + ":" + encode(tag) + ":" + encode(checksum);
        }

        static Part parse(String text) {
            var fields = text.split(":", -1);
            return new Part(
                    Integer.parseInt(fields[0]), Long.parseLong(fields[1]), decode(fields[2]), decode(fields[3]));
        }
    }

    /// The bytes after the parts.
    ///
    /// @param object the `part` of the object that contains the bytes; empty if `inline` contains them in
    ///     base64
    record Tail(long length, String object, String inline) {
        static final Tail EMPTY = new Tail(0, NONE, NONE);

        static Tail inline(byte[] bytes) {
            return new Tail(bytes.length, NONE, Base64.getEncoder().encodeToString(bytes));
        }

        byte[] bytes() {
            return Base64.getDecoder().decode(inline);
        }
    }

    /// Returns the length in bytes.
    long length() {
        return parts.stream().mapToLong(Part::size).sum() + tail.length;
    }

    /// Reads a handle; its brief form is enough to delete the draft.
    static S3Draft of(DraftId draft) {
        if (draft.handle().isEmpty()) {
            return new S3Draft(null, List.of(), Tail.EMPTY);
        }
        var halves = draft.handle().split("\\|", -1);
        var brief = halves[0].split("~", -1);
        if (brief.length != BRIEF) {
            throw new IllegalArgumentException("not the handle of a draft in a bucket");
        }
        var upload = brief[0].isEmpty() ? null : new Multipart(brief[0], decode(brief[1]));
        if (halves.length == 1) {
            return new S3Draft(upload, List.of(), new Tail(0, brief[2], NONE));
        }
        var rest = halves[1].split("~", -1);
        var parts = rest[2].isEmpty()
                ? List.<Part>of()
                : Arrays.stream(rest[2].split(",")).map(Part::parse).toList();
        return new S3Draft(upload, parts, new Tail(Long.parseLong(rest[0]), brief[2], rest[1]));
    }

    /// Returns `<object>~<upload>~<tail>|<tail's length>~<tail's bytes>~<part>,<part>...`
    String handle() {
        String brief = (upload == null ? "~" : upload.object + "~" + encode(upload.id)) + "~" + tail.object;
        return brief + "|" + tail.length + "~" + tail.inline + "~"
                + parts.stream().map(Part::toString).collect(Collectors.joining(","));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
