package dev.sheaf.client.io;

import dev.sheaf.client.api.SheafException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/// Reads a file that controls what is done with its folder, such as `sheaf.yaml`. Both are untrusted, so it must
/// be a regular file of that folder: through a link, an error message could show lines of another file, and a
/// device could be read without end.
public final class OwnFile {
    /// The limit for files that people write, in bytes.
    public static final int LONGEST = 1 << 20;

    private OwnFile() {}

    /// Returns the text, which must be UTF-8.
    ///
    /// @param longest the limit in bytes
    /// @throws NoSuchFileException if it does not exist
    /// @throws java.nio.charset.CharacterCodingException if it is not UTF-8
    /// @throws SheafException.InvalidRequest if it is a link or not a regular file of the folder, or too long
    public static String read(Path folder, Path file, int longest) throws IOException {
        check(folder, file);
        byte[] bytes;
        try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            bytes = in.readNBytes(longest + 1);
        }
        if (bytes.length > longest) {
            throw new SheafException.InvalidRequest(file + " is longer than " + longest + " bytes");
        }
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    /// Checks the file before it is opened, since opening a pipe waits for its other end.
    private static void check(Path folder, Path file) throws IOException {
        var attributes = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isRegularFile()) {
            throw new SheafException.InvalidRequest(
                    file + " is " + (attributes.isSymbolicLink() ? "a link" : "not a file")
                            + "; it must be a regular file of the"
                            + " folder");
        }
        if (!file.toRealPath().startsWith(folder.toRealPath())) {
            throw new SheafException.InvalidRequest(
                    file + " is reached through a link that leaves the folder; it must be a regular file of the"
                            + " folder");
        }
    }
}
