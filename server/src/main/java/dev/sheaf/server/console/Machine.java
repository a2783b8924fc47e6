package dev.sheaf.server.console;

import java.util.List;

/// What programs do in place of a page: calls of the API, as `GET /v1/...`, and commands, as `sheaf ...`. A test looks
/// whether there are such.
public record Machine(List<String> calls, List<String> commands) {
    public static final Machine NONE = new Machine(List.of(), List.of());

    public Machine {
        calls = List.copyOf(calls);
        commands = List.copyOf(commands);
    }

    public static Machine of(String call, String command) {
        return new Machine(List.of(call), command.isEmpty() ? List.of() : List.of(command));
    }
}
