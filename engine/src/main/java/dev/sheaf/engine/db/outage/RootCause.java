package dev.sheaf.engine.db.outage;

import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.util.regex.Pattern;

/// Describes failures in one line.
public final class RootCause {
    private static final Pattern SPACE = Pattern.compile("\\s+");

    private RootCause() {}

    /// Returns the message of the deepest cause that has one, such as "Connection refused". The class comes first if
    /// the message alone says little, as with the bare name of a host that is not known.
    public static String of(Throwable e) {
        Throwable found = e;
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            if (message != null && !message.isBlank()) {
                found = cause;
            }
        }
        String message = found.getMessage();
        String name = found.getClass().getSimpleName();
        if (message == null) {
            return name;
        }
        return line(speaks(found) ? message : name + ": " + message);
    }

    /// Returns a text in one line.
    public static String line(String text) {
        return SPACE.matcher(text.strip()).replaceAll(" ");
    }

    private static boolean speaks(Throwable e) {
        return e instanceof SQLException || e instanceof SocketException || e instanceof SocketTimeoutException;
    }
}
