package dev.sheaf.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// The program's own configuration of its log.
class LogSetupTest {
    private static final SQLException REFUSED =
            new SQLException("no connection", new ConnectException("Connection refused"));

    private static LoggerContext configured() throws Exception {
        var context = new LoggerContext();
        var configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(Objects.requireNonNull(LogSetupTest.class.getResource("/logback.xml")));
        return context;
    }

    private static String line(String name, String message, Object... arguments) throws Exception {
        var context = configured();
        Logger logger = context.getLogger(name);
        Logger owner = logger;
        while (!owner.iteratorForAppenders().hasNext()) {
            owner = context.getLogger(
                    owner.getName().substring(0, owner.getName().lastIndexOf('.')));
        }
        var appender =
                (ConsoleAppender<ILoggingEvent>) owner.iteratorForAppenders().next();
        var event = new LoggingEvent("", logger, Level.WARN, message, null, arguments);
        return new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
    }

    /// The pool logs each connection that an outage broke, and would advise to change a setting that is not at fault.
    @Test
    void thePoolOfConnectionsLogsALineWithoutItsAdvice() throws Exception {
        String line = line(
                "com.zaxxer.hikari.pool.PoolBase",
                "{} - Failed to validate connection {} ({}). Possibly consider using a shorter maxLifetime value.",
                "postgres",
                "org.postgresql.jdbc.PgConnection@5b8c7836",
                "This connection has been closed.");

        assertThat(line)
                .contains("(This connection has been closed.). The pool opens another one.")
                .doesNotContain("maxLifetime");
    }

    @Test
    void anExceptionOfThePoolIsALineWithItsRootCause() throws Exception {
        assertThat(line(
                        "com.zaxxer.hikari.pool.HikariPool",
                        "{} - Exception during pool initialization.",
                        "postgres",
                        REFUSED))
                .contains("Exception during pool initialization. java.net.ConnectException: Connection refused")
                .containsOnlyOnce("\n");
    }
}
