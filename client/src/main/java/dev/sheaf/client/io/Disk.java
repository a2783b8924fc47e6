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

/// Turns failures of the file system into exceptions with helpful messages.
public final class Disk {
    private Disk() {}

    /// Syncs the entries of a folder to disk, if the system supports that.
    public static void sync(@Nullable Path folder) {
        if (folder == null) {
            return;
        }
        try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // Windows does not open folders, and some file systems do not sync them
        }
    }

    /// Returns the failure of `what`, such as "cannot write to /some/folder".
    public static SheafException failed(String what, IOException e) {
        return switch (e) {
            case ClosedByInterruptException _ -> new SheafException.Cancelled();
            case FileLockInterruptionException _ -> new SheafException.Cancelled();
            case NoSuchFileException missing -> local(what, missing.getFile() + " does not exist", e);
            case AccessDeniedException denied -> local(what, "no permission for " + denied.getFile(), e);
            case CharacterCodingException _ -> local(what, "it is not valid UTF-8", e);
            default -> local(what, String.valueOf(e.getMessage()), e);
        };
    }

    /// Returns the failure for an exception that a walk through folders has wrapped.
    public static SheafException failed(String what, UncheckedIOException e) {
        return failed(what, Objects.requireNonNull(e.getCause()));
    }

    private static SheafException local(String what, String reason, IOException cause) {
        return new SheafException.Local(what + ": " + reason, cause);
    }
}
