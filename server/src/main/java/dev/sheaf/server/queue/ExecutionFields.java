package dev.sheaf.server.queue;

import dev.sheaf.engine.input.JsonText;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.wire.queue.ExecutionDefaults;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the member `execution` of a queue.
final class ExecutionFields {
    private static final int MAX_PATH = 1_000;
    private static final int MAX_PATHS = 100;
    private static final int MAX_VARIABLES = 100;
    private static final int MAX_VALUE = 32 << 10;
    private static final int MAX_TURNS = 1_000_000;
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,199}");

    private ExecutionFields() {}

    static @Nullable JsonText parse(RequestFields fields) {
        var given = fields.object("execution");
        if (given == null) {
            return null;
        }
        return JsonText.of(new ExecutionDefaults(
                given.optional("workingDirectory", MAX_PATH), environment(given), sandbox(given), constraints(given)));
    }

    private static @Nullable Map<String, String> environment(RequestFields given) {
        var members = given.object("environment");
        if (members == null) {
            return null;
        }
        if (members.names().size() > MAX_VARIABLES) {
            given.error(
                    "environment", "range", "has " + members.names().size() + " variables; at most " + MAX_VARIABLES);
            return null;
        }
        var variables = new LinkedHashMap<String, String>();
        for (String name : members.names()) {
            if (!VARIABLE.matcher(name).matches()) {
                given.error(
                        "environment",
                        "format",
                        "has a name with characters other than letters, digits and underscores");
            } else {
                variables.put(name, Objects.requireNonNullElse(members.optional(name, MAX_VALUE), ""));
            }
        }
        return variables;
    }

    private static ExecutionDefaults.@Nullable Sandbox sandbox(RequestFields given) {
        var members = given.object("sandbox");
        if (members == null) {
            return null;
        }
        var paths = Objects.requireNonNullElse(members.texts("allowedPaths"), List.<String>of());
        if (paths.size() > MAX_PATHS) {
            members.error("allowedPaths", "range", "has " + paths.size() + " entries; at most " + MAX_PATHS);
        }
        for (int i = 0; i < paths.size(); i++) {
            if (paths.get(i).length() > MAX_PATH) {
                members.error("allowedPaths/" + i, "too-long", "has an entry of more than " + MAX_PATH + " characters");
            }
        }
        return new ExecutionDefaults.Sandbox(
                !Boolean.FALSE.equals(members.flag("enabled")),
                members.flag("allowNetwork"),
                members.flag("allowFileWrite"),
                paths);
    }

    private static ExecutionDefaults.@Nullable Constraints constraints(RequestFields given) {
        var members = given.object("constraints");
        if (members == null) {
            return null;
        }
        Double budget = null;
        var text = members.json("maxBudgetUsd", 40);
        if (text != null) {
            if (text.value() instanceof Number number
                    && number.doubleValue() >= 0
                    && number.doubleValue() <= MAX_TURNS) {
                budget = number.doubleValue();
            } else {
                members.error("maxBudgetUsd", "range", "must be a number from 0 to " + MAX_TURNS);
            }
        }
        return new ExecutionDefaults.Constraints(
                members.has("maxTurns") ? NumberBounds.of(members, "maxTurns", 1, MAX_TURNS, 1) : null,
                budget,
                members.has("timeoutMs") ? (long) NumberBounds.of(members, "timeoutMs", 1, 604_800_000, 1) : null);
    }
}
