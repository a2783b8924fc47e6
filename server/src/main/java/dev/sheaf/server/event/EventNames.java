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

/// Makes the name of an event that of its record: the words before the last are joined by underscores, and the
/// last follows a dot.
public final class EventNames {
    /// Those of records that are called otherwise than their events.
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

    /// The names of all events that there are.
    public static Set<String> all() {
        return ALL;
    }

    /// Whether there are events of this name, or whose names begin as it says with a `*` behind.
    public static boolean isKnown(String pattern) {
        return ALL.stream().anyMatch(name -> matches(pattern, name));
    }

    /// Whether a name, or the begin of names, stands for an event.
    public static boolean matches(String pattern, String name) {
        return pattern.endsWith("*")
                ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                : name.equals(pattern);
    }

    /// What is wrong with a pattern that is not known: what was typed is no event, and which there are.
    public static String unknown(String pattern) {
        String group = pattern.replaceFirst("\\..*", ".");
        String near = String.join(
                ", ", ALL.stream().filter(name -> name.startsWith(group)).toList());
        String groups = ALL.stream()
                .map(name -> name.replaceFirst("\\..*", ".*"))
                .distinct()
                .collect(Collectors.joining(", "));
        return "has " + Quoted.of(pattern) + ", which is no event; there "
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
