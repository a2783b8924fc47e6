package dev.sheaf.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.spi.FilterReply;
import dev.sheaf.server.testing.RawHttp;
import dev.sheaf.server.testing.program.ServerProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What strangers and faults can make the server write into its log.
class LogDamperTest {
    private final LogDamper damper = new LogDamper();

    private String lets(String logger, String message, long millis) {
        var event = new LoggingEvent();
        event.setLoggerName(logger);
        event.setMessage(message);
        event.setTimeStamp(millis);
        return damper.decide(event) == FilterReply.DENY ? "." : "x";
    }

    @Test
    void eachMessageComesThreeTimesAMinute() {
        String seen = IntStream.range(0, 10)
                .mapToObj(i -> lets("a", "one", 1_000 + i * 10_000L))
                .collect(Collectors.joining());

        assertThat(seen).isEqualTo("xxx...xxx.");
        assertThat(lets("a", "other", 60_000)).isEqualTo("x");
        assertThat(lets("b", "one", 60_000)).isEqualTo("x");
    }

    @Test
    void messagesThatAreAllDifferentTakeNoMemory() {
        for (int i = 0; i < 100_000; i++) {
            assertThat(lets("a", "message " + i, i)).isEqualTo("x");
        }
        assertThat(lets("a", "message 99999", 100_000)).isEqualTo("x");
    }

    /// A head that breaks off, which made a stack trace of the library each time.
    @Test
    void connectionsThatAreJunkFillNoLog(@TempDir Path data) throws IOException, InterruptedException {
        List<String> log;
        try (var server = ServerProcess.start(data)) {
            var raw = new RawHttp("127.0.0.1:" + server.port());
            for (int i = 0; i < 30; i++) {
                raw.send("GET / HTTP/1.1\r\nHost: x\r\n".getBytes(StandardCharsets.US_ASCII));
                raw.send(new byte[50]);
                raw.send("POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"
                        .getBytes(StandardCharsets.US_ASCII));
            }
            log = server.stop();
        }

        assertThat(log).noneMatch(line -> line.startsWith("\tat ") || line.startsWith("Caused by"));
        assertThat(log.stream().filter(line -> line.contains("HttpConnection")))
                .hasSizeLessThanOrEqualTo(2 * LogDamper.MOST);
    }

    @Test
    void theHttpLibraryHasALineForEach() throws JoranException {
        var context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter());
        var configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(LogDamperTest.class.getResource("/logback.xml"));
        var failure = new IllegalStateException("head\r\n2026 forged", new IOException("cause\nand more"));
        var written = new ByteArrayOutputStream();
        var logger = context.getLogger("io.netty.channel.DefaultChannelPipeline");
        ((ConsoleAppender<?>) context.getLogger("io.netty").getAppender("damped")).setOutputStream(written);

        for (int i = 0; i < 10; i++) {
            logger.warn("It failed", failure);
        }

        var lines = written.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines)
                .hasSize(LogDamper.MOST)
                .allSatisfy(line -> assertThat(line)
                        .contains("WARN", "DefaultChannelPipeline It failed", "cause and more")
                        .hasSizeLessThan(400));
    }
}
