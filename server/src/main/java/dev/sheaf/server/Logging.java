package dev.sheaf.server;

import org.slf4j.bridge.SLF4JBridgeHandler;

/// Sends every library's log to standard error at the configured level.
final class Logging {
    private Logging() {}

    /// Before the first logger is made: logback.xml reads the property.
    static void start(String level) {
        System.setProperty("sheaf.log.level", level);
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }
}
