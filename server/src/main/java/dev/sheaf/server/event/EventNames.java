package dev.sheaf.server.event;

import dev.sheaf.model.text.Quoted;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Derives the name of an event from its record: the last word follows a dot, and the words before it are joined
/// by underscores.
public final class EventNames {
    /// The names of records that represent several events.
    private static final Map<Class<?>, List<String>> OTHERS = Map.of(
            Event.TransferEnded.class,
            Event.TransferEnded.OUTCOMES.stream()
                    .map(outcome -> "transfer." + outcome)
                    .toList(),
            JobEnded.class,
            JobEnded.OUTCOMES.stream().map(outcome -> "job." + outcome).toList(),
            Event.UserTotpChanged.class,
            List.of("user.totp_enabled", "user.totp_disabled"));

    private static final Set<String> ALL =
            Collections.unmodifiableSet(new TreeSet<>(all(Event.class).toList()));

    private EventNames() {}

    /// Returns the names of all events.
    public static Set<String> all() {
        return ALL;
    }

    /// Returns whether an event has this name, or a name with this prefix if the pattern ends with `*`.
    public static boolean isKnown(String pattern) {
        return ALL.stream().anyMatch(name -> matches(pattern, name));
    }

    /// Returns whether the pattern, a name or a prefix followed by `*`, matches the name.
    public static boolean matches(String pattern, String name) {
        return pattern.endsWith("*")
                ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                : name.equals(pattern);
    }

    /// Returns the error for an unknown pattern, with the events that exist.
    public static String unknown(String pattern) {
        String group = pattern.replaceFirst("\\..*", ".");
        String near = String.join(
                ", ", ALL.stream().filter(name -> name.startsWith(group)).toList());
        String groups = ALL.stream()
                .map(name -> name.replaceFirst("\\..*", ".*"))
                .distinct()
                .collect(Collectors.joining(", "));
        return "has " + Quoted.of(pattern) + ", which is not an event; there "
                + (near.isEmpty()
                        ? "are events of " + groups
                        : "are " + near + ", and " + group + "* for all of these");
    }

    private static Stream<String> all(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(EventNames::all)
                : OTHERS.getOrDefault(type, List.of(of(type.getSimpleName()))).stream();
    }

    static String of(String record) {
        var name = new StringBuilder();
        int last = 0;
        for (char c : record.toCharArray()) {
            if (Character.isUpperCase(c) && !name.isEmpty()) {
                last = name.length();
                name.append('_');
            }
            name.append(Character.toLowerCase(c));
        }
        name.setCharAt(last, '.');
        return name.toString();
    }
}
