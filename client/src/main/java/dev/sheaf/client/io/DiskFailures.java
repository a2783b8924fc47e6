package dev.sheaf.client.io;

import dev.sheaf.client.api.SheafException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLockInterruptionException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Turns failures of the file system into exceptions with helpful messages.
public final class DiskFailures {
    private DiskFailures() {}

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
            case ClosedByInterruptException interrupted -> new SheafException.Cancelled();
            case FileLockInterruptionException interrupted -> new SheafException.Cancelled();
            default -> new SheafException.Local(what + ": " + reason(e), e);
        };
    }

    /// Returns the reason of a failure with the path, as a clause. Java's message is only the path for many of them.
    public static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException missing -> missing.getFile() + " does not exist";
            case AccessDeniedException denied -> "no permission for " + denied.getFile();
            case FileAlreadyExistsException there -> there.getFile() + " exists already and is not a folder";
            case NotDirectoryException file -> file.getFile() + " is not a folder";
            case CharacterCodingException malformed -> "it is not valid UTF-8";
            default -> String.valueOf(e.getMessage());
        };
    }

    /// Returns why no files can be made in a folder, which need not exist, as a clause; empty if they can be made.
    public static Optional<String> unwritable(Path folder) {
        Path existing = folder.toAbsolutePath();
        while (!Files.exists(existing, LinkOption.NOFOLLOW_LINKS) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        if (!Files.isDirectory(existing)) {
            return Optional.of(existing + " is not a folder");
        }
        if (Files.isWritable(existing)) {
            return Optional.empty();
        }
        return Optional.of(
                isReadOnly(existing)
                        ? "the file system of " + existing + " is read-only"
                        : "you have no permission to write to " + existing);
    }

    private static boolean isReadOnly(Path folder) {
        try {
            return Files.getFileStore(folder).isReadOnly();
        } catch (IOException e) {
            return false;
        }
    }

    /// Returns the failure for an exception that a walk through folders has wrapped.
    public static SheafException failed(String what, UncheckedIOException e) {
        return failed(what, Objects.requireNonNull(e.getCause()));
    }
}
