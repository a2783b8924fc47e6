package dev.sheaf.server;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reports to systemd that the server is up or stops (sd_notify), if systemd started it with `Type=notify`. Java has no
/// Unix datagram sockets, so the program `systemd-notify` sends the message, and the unit needs
/// `NotifyAccess=all`.
final class ServiceManager {
    private ServiceManager() {}

    static void ready() {
        tell("READY=1", "STATUS=");
    }

    /// Says what the start waits for, and asks for more time.
    static void waiting(@Nullable String what) {
        tell("STATUS=waiting: " + what, "EXTEND_TIMEOUT_USEC=30000000");
    }

    static void stopping() {
        tell("STOPPING=1");
    }

    /// Returns at once. A failure is reported and changes nothing else.
    private static void tell(String... states) {
        if (System.getenv("NOTIFY_SOCKET") == null) {
            return;
        }
        try {
            var command = new ArrayList<>(List.of("systemd-notify"));
            command.addAll(List.of(states));
            new ProcessBuilder(command)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            System.err.println("sheaf: NOTIFY_SOCKET is set, but systemd was not notified of " + states[0]
                    + ", because systemd-notify cannot be run (" + e.getMessage()
                    + "); install it, or use Type=exec in the unit");
        }
    }
}
