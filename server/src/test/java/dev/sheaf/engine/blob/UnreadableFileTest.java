package dev.sheaf.engine.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sheaf.engine.metrics.CallTimes;
import dev.sheaf.model.ProblemException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/// What the log says about an object that many ask for and the disk cannot read.
@SuppressWarnings("NullAway.Init") // JUnit sets the folder
class UnreadableFileTest {
    private static final Logger DISK = (Logger) LoggerFactory.getLogger(DiskCalls.class);

    @TempDir
    Path folder;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final DiskCalls disk = new DiskCalls(CallTimes.OFF);

    @BeforeEach
    void listen() {
        log.start();
        DISK.addAppender(log);
    }

    @AfterEach
    void leave() {
        DISK.detachAppender(log);
    }

    private void assertFails(Path file) {
        var object = new FileObject(file, 10, new TransferBuffers(), disk);
        assertThatThrownBy(() -> object.writeTo(OutputStream.nullOutputStream(), 0, 10))
                .isInstanceOf(IOException.class)
                .as("the request is refused without a line of its own")
                .hasCauseInstanceOf(ProblemException.class);
    }

    @Test
    void aFileThatCannotBeReadHasALineAMinute() throws IOException {
        Path one = Files.createDirectory(folder.resolve("one")); // reading a folder fails
        Path other = Files.createDirectory(folder.resolve("other"));

        for (int i = 0; i < 10; i++) {
            assertFails(one);
        }
        assertFails(other);

        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .satisfiesExactly(
                        line -> assertThat(line).contains("cannot read " + one, "directory"),
                        line -> assertThat(line).contains("cannot read " + other));
        assertThat(log.list)
                .allSatisfy(line -> assertThat(line.getThrowableProxy()).isNull());
    }

    @Test
    void aFileThatCannotBeOpenedHasALineAMinute() throws IOException {
        Path loop = folder.resolve("loop");
        Files.createSymbolicLink(loop, loop);

        for (int i = 0; i < 10; i++) {
            assertFails(loop);
        }

        assertThat(log.list)
                .singleElement()
                .satisfies(line -> assertThat(line.getFormattedMessage()).contains("cannot read " + loop));
    }
}
