package dev.sheaf.server.registry.upload;

import dev.sheaf.model.Problem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Bytes that a client sends to an upload.
///
/// @param start the offset where they begin; null for the end of the upload
/// @param length as announced by the client; null if it was not announced
public record UploadChunk(@Nullable Long start, @Nullable Long length, InputStream content) {
    public static UploadChunk of(@Nullable Long length, InputStream content) {
        return new UploadChunk(null, length, content);
    }

    /// Returns the announced number of bytes; 0 if the client announced none.
    long announced() {
        return length == null ? 0 : length;
    }

    /// @throws dev.sheaf.model.ProblemException upload-range-invalid if the chunk does not start at `written`
    void checkStart(UUID upload, long written) {
        if (start != null && start != written) {
            throw new Problem.UploadRangeInvalid(upload.toString(), written).raise();
        }
    }

    /// @throws dev.sheaf.model.ProblemException upload-invalid if the number of bytes differs from the
    /// announced one
    void checkLength(long came) {
        if (length != null && length != came) {
            throw new Problem.UploadInvalid(
                            "the chunk announced " + length + " bytes, but " + came + " arrived; send it again")
                    .raise();
        }
    }

    /// Reads the first bytes; the chunk then continues after them.
    byte[] head(int bytes) throws IOException {
        return content.readNBytes(bytes);
    }

    /// Returns the whole chunk again after its [#head] was read.
    UploadChunk withHead(byte[] head) {
        return new UploadChunk(start, length, new SequenceInputStream(new ByteArrayInputStream(head), content));
    }
}
