package dev.sheaf.server.registry.api;

import dev.sheaf.model.Problem;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.registry.upload.UploadChunk;
import java.io.InputStream;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the chunk of a PATCH or PUT: `Content-Range: <start>-<end>` (distribution-spec, "Pushing a blob in
/// chunks"; the form of RFC 9110 is accepted too). A stream has no range.
public final class ContentRange {
    private static final Pattern FORM =
            Pattern.compile("(?:bytes[ =])?([0-9]{1,18})-([0-9]{1,18})(?:/(?:\\*|[0-9]+))?");

    private ContentRange() {}

    /// @throws dev.sheaf.model.ProblemException upload-invalid if the range cannot be read or its length
    /// differs from the body's
    public static UploadChunk chunk(Call call) {
        var length = call.contentLength();
        return chunk(
                call.header("Content-Range").orElse(null), length.isPresent() ? length.getAsLong() : null, call.body());
    }

    public static UploadChunk chunk(@Nullable String header, @Nullable Long announced, InputStream body) {
        if (header == null) {
            return UploadChunk.of(announced, body);
        }
        var matcher = FORM.matcher(header.strip());
        if (!matcher.matches()) {
            throw new Problem.UploadInvalid("the Content-Range must be <first byte>-<last byte>").raise();
        }
        long start = Long.parseLong(matcher.group(1));
        long length = Long.parseLong(matcher.group(2)) - start + 1;
        if (length < 0 || (announced != null && announced != length)) {
            throw new Problem.UploadInvalid("the length of the Content-Range differs from the length of the body")
                    .raise();
        }
        return new UploadChunk(start, length, body);
    }
}
