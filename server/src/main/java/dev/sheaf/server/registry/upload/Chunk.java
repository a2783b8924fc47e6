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
/// @param start the offset they begin at; null: where the upload stands
/// @param length how many the client announces; null: as many as come
public record Chunk(@Nullable Long start, @Nullable Long length, InputStream content) {
    public static Chunk of(@Nullable Long length, InputStream content) {
        return new Chunk(null, length, content);
    }

    /// The bytes that are known to come; 0 where the client announces none.
    long announced() {
        return length == null ? 0 : length;
    }

    /// @throws dev.sheaf.model.ProblemException upload-range-invalid where the bytes do not begin at `written`
    void continues(UUID upload, long written) {
        if (start != null && start != written) {
            throw new Problem.UploadRangeInvalid(upload.toString(), written).raise();
        }
    }

    /// @throws dev.sheaf.model.ProblemException upload-invalid where another number of bytes came than was
    /// announced
    void complete(long came) {
        if (length != null && length != came) {
            throw new Problem.UploadInvalid(
                            "the chunk announced " + length + " bytes, and " + came + " came; send it again")
                    .raise();
        }
    }

    /// The first bytes; the chunk then goes on behind them.
    byte[] head(int bytes) throws IOException {
        return content.readNBytes(bytes);
    }

    /// The chunk again, after its [#head] was read.
    Chunk behind(byte[] head) {
        return new Chunk(start, length, new SequenceInputStream(new ByteArrayInputStream(head), content));
    }
}
