package dev.sheaf.server.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Settings on a command line.
public final class Flags {
    private Flags() {}

    /// `--key value` and `--key=value`.
    public static Map<String, String> read(List<String> arguments) {
        var flags = new LinkedHashMap<String, String>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (!argument.startsWith("--")) {
                throw new StartException(Exit.USAGE, "unexpected argument " + argument + "; a setting is --key value");
            }
            int equals = argument.indexOf('=');
            if (equals < 0 && i + 1 == arguments.size()) {
                throw new StartException(
                        Exit.USAGE,
                        argument.equals("--json")
                                ? "there is no --json here: sheaf config prints lines of key = value"
                                : argument + " needs a value");
            }
            String value = equals < 0 ? arguments.get(++i) : argument.substring(equals + 1);
            flags.put(argument.substring(2, equals < 0 ? argument.length() : equals), value);
        }
        return flags;
    }
}
