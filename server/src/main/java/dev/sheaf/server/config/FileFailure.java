package dev.sheaf.server.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Says why a file cannot be used, in words for people instead of the name of a Java exception.
public final class FileFailure {
    private FileFailure() {}

    /// Returns the reason as a clause, such as `this user may not use /data/lock`.
    public static String words(Exception e) {
        return switch (e) {
            case AccessDeniedException denied -> "this user may not use " + denied.getFile();
            case NoSuchFileException missing -> missing.getFile() + " does not exist";
            case NotDirectoryException file -> file.getFile() + " is not a folder";
            case FileAlreadyExistsException there -> there.getFile() + " is there already and is not a folder";
            case CharacterCodingException text -> "it is not text in UTF-8";
            case FileSystemException other
            when other.getReason() != null -> reason(String.valueOf(other.getReason())) + at(other.getFile());
            case IOException other when other.getMessage() != null -> reason(String.valueOf(other.getMessage()));
            case IllegalArgumentException other when other.getMessage() != null -> String.valueOf(other.getMessage());
            default -> "an unknown failure";
        };
    }

    private static String at(@Nullable String file) {
        return file == null ? "" : ": " + file;
    }

    private static String reason(String said) {
        String lower = said.toLowerCase(Locale.ROOT);
        if (lower.contains("no space left")) {
            return "the disk is full";
        }
        if (lower.contains("quota exceeded")) {
            return "the quota of the disk is used up";
        }
        if (lower.contains("read-only file system")) {
            return "the file system is read-only";
        }
        return said;
    }
}
