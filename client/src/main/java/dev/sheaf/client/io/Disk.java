package dev.sheaf.client.io;

import dev.sheaf.client.api.SheafException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLockInterruptionException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Says what a file system refused in words that help.
public final class Disk {
    private Disk() {}

    /// Has a folder's entries on the disk, where the system can do that for folders.
    public static void sync(@Nullable Path folder) {
        if (folder == null) {
            return;
        }
        try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // Windows opens no folders, and some file systems do not sync them
        }
    }

    /// The failure of `what`, such as "cannot write to /some/folder".
    public static SheafException failed(String what, IOException e) {
        return switch (e) {
            case ClosedByInterruptException _ -> new SheafException.Cancelled();
            case FileLockInterruptionException _ -> new SheafException.Cancelled();
            case NoSuchFileException missing -> local(what, missing.getFile() + " does not exist", e);
            case AccessDeniedException denied -> local(what, "no permission for " + denied.getFile(), e);
            case CharacterCodingException _ -> local(what, "it is no text in UTF-8", e);
            default -> local(what, String.valueOf(e.getMessage()), e);
        };
    }

    /// The same of a walk through folders, which wraps what it meets.
    public static SheafException failed(String what, UncheckedIOException e) {
        return failed(what, Objects.requireNonNull(e.getCause()));
    }

    private static SheafException local(String what, String reason, IOException cause) {
        return new SheafException.Local(what + ": " + reason, cause);
    }
}
