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

/// Reads a file that says what is to be done with its folder, such as `sheaf.yaml`. Both may come from anybody, so
/// that it must be a file of that folder: through a link, a mistake in it would show lines of some other file, and a
/// device would be read without end.
public final class OwnFile {
    /// Bytes; of what people write.
    public static final int LONGEST = 1 << 20;

    private OwnFile() {}

    /// The text, which is UTF-8.
    ///
    /// @param longest in bytes
    /// @throws NoSuchFileException where there is none
    /// @throws java.nio.charset.CharacterCodingException where it is no text in UTF-8
    /// @throws SheafException.InvalidRequest where it is a link or anything else that is no file of the folder, or
    ///     is longer
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

    /// Before it is opened, since to open a pipe waits for its other end.
    private static void check(Path folder, Path file) throws IOException {
        var attributes = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isRegularFile()) {
            throw new SheafException.InvalidRequest(file + " is " + (attributes.isSymbolicLink() ? "a link" : "no file")
                    + "; it must be a file of its own");
        }
        if (!file.toRealPath().startsWith(folder.toRealPath())) {
            throw new SheafException.InvalidRequest(
                    file + " is reached by a link to a place outside of the folder; it must be a file of its own");
        }
    }
}
