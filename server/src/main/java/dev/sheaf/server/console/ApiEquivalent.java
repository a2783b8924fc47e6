package dev.sheaf.server.console;

import java.util.List;

/// The calls and commands that programs use instead of a page: API calls such as `GET /v1/...` and commands
/// such as `sheaf ...`. A test checks that they exist.
public record ApiEquivalent(List<String> calls, List<String> commands) {
    public static final ApiEquivalent NONE = new ApiEquivalent(List.of(), List.of());

    public ApiEquivalent {
        calls = List.copyOf(calls);
        commands = List.copyOf(commands);
    }

    public static ApiEquivalent of(String call, String command) {
        return new ApiEquivalent(List.of(call), command.isEmpty() ? List.of() : List.of(command));
    }
}
