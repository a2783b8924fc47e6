package dev.sheaf.server.node;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.util.Set;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/// Sends the logs of the program and of all libraries to standard error at the configured level, as text or as
/// one JSON object per line.
public final class LogSetup {
    private static final String OURS = "dev.sheaf";
    private static final Set<String> DAMPED = Set.of("damped", "pool"); // appenders of what many events repeat

    private LogSetup() {}

    /// Starts logging. Call it before the first logger is created, because logback.xml reads the property.
    public static void start(String level) {
        System.setProperty("sheaf.log.level", level);
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }

    /// Writes JSON from now on.
    public static void json() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.getLoggerList()
                    .forEach(logger -> logger.iteratorForAppenders().forEachRemaining(appender -> {
                        if (appender instanceof ConsoleAppender<ILoggingEvent> console) {
                            json(context, console);
                        }
                    }));
        }
    }

    private static void json(LoggerContext context, ConsoleAppender<ILoggingEvent> appender) {
        var encoder = new JsonEncoder();
        encoder.setContext(context);
        encoder.setWithContext(false);
        encoder.setWithSequenceNumber(false);
        encoder.setWithFormattedMessage(true);
        encoder.setWithMessage(false);
        encoder.setWithArguments(false); // the formatted message contains them
        encoder.setWithThrowable(!DAMPED.contains(appender.getName())); // stack traces could fill the disk
        encoder.start();
        appender.setEncoder(encoder);
    }

    /// Changes the level of this program's log from now on.
    public static void level(String level) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.getLogger(OURS).setLevel(Level.toLevel(level));
        }
    }
}
