package dev.sheaf.server.node;

import org.slf4j.bridge.SLF4JBridgeHandler;

/// Sends every library's log to standard error at the configured level.
public final class Logging {
    private Logging() {}

    /// Before the first logger is made: logback.xml reads the property.
    public static void start(String level) {
        System.setProperty("sheaf.log.level", level);
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }
}
