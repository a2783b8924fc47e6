package dev.sheaf.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.junit.jupiter.api.Test;

class FileFailureTest {
    @Test
    void saysTheReasonInWords() {
        assertThat(FileFailure.words(new AccessDeniedException("/data/lock")))
                .isEqualTo("this user may not use /data/lock");
        assertThat(FileFailure.words(new NoSuchFileException("/data"))).isEqualTo("/data does not exist");
        assertThat(FileFailure.words(new NotDirectoryException("/data"))).isEqualTo("/data is not a folder");
        assertThat(FileFailure.words(new FileSystemException("/data/x", null, "No space left on device")))
                .isEqualTo("the disk is full: /data/x");
        assertThat(FileFailure.words(new FileSystemException("/data/x", null, "Read-only file system")))
                .isEqualTo("the file system is read-only: /data/x");
        assertThat(FileFailure.words(new IOException("No space left on device")))
                .isEqualTo("the disk is full");
        assertThat(FileFailure.words(new MalformedInputException(1))).isEqualTo("it is not text in UTF-8");
        assertThat(FileFailure.words(new IllegalArgumentException("Malformed \\uxxxx encoding.")))
                .isEqualTo("Malformed \\uxxxx encoding.");
    }

    @Test
    void neverNamesAJavaException() {
        for (var e : new Exception[] {
            new AccessDeniedException("/a"), new FileSystemException("/a"), new IOException(), new IOException("odd")
        }) {
            assertThat(FileFailure.words(e)).doesNotContain("java.", "Exception", "null");
        }
    }
}
