package dev.sheaf.server.org.pages.key;

import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.model.wire.key.KeyRestrictions;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.org.key.ApiKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The words for keys on pages.
public final class KeyWords {
    private static final Duration SOON = Duration.ofDays(14);
    private static final List<String> SCOPES = List.of("read", "write", "admin"); // each includes the scopes before it

    private KeyWords() {}

    /// The tag of a key's state.
    ///
    /// @param tone the tone of the tag; null for a normal state
    public record State(String word, String icon, @Nullable String tone) {}

    public static State state(ApiKey key, Instant now) {
        return switch (key.state()) {
            case "active" ->
                endsSoon(key, now) ? new State("Ends soon", "clock", "warn") : new State("Active", "check", "ok");
            case "retiring" -> new State("Retiring", "clock", null);
            case "disabled" -> new State("Disabled", "lock", "warn");
            case "expired" -> new State("Expired", "stop", null);
            default ->
                key.revokedReason() != null && key.revokedReason().equals(ApiKeys.PEPPER_RETIRED)
                        ? new State("Ended: pepper retired", "stop", "bad")
                        : new State("Revoked", "stop", "bad");
        };
    }

    /// Returns whether the key works but expires soon.
    public static boolean endsSoon(ApiKey key, Instant now) {
        return key.state().equals("active")
                && key.expiresAt() != null
                && key.expiresAt().isBefore(now.plus(SOON));
    }

    /// Returns whether the key works or can be enabled again.
    public static boolean isLive(ApiKey key) {
        return !key.state().equals("expired") && !key.state().equals("revoked");
    }

    /// Returns the highest scope of the key.
    public static String scope(ApiKey key) {
        return SCOPES.reversed().stream()
                .filter(key.scopes()::contains)
                .findFirst()
                .orElse("read");
    }

    public static boolean has(ApiKey key, String scope) {
        return SCOPES.indexOf(scope(key)) >= SCOPES.indexOf(scope);
    }

    /// Returns a word with a capital first letter.
    public static String title(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    /// Describes a scope in plain words.
    public static String meaning(String scope) {
        return switch (scope) {
            case "read" -> "List and pull bundles, versions and files.";
            case "write" -> "Also create, publish, push, yank and delete them, and queue work.";
            default -> "Also manage keys, members, namespaces and the organization itself.";
        };
    }

    /// Returns the bundles and namespaces to which the key is restricted; empty means the whole organization.
    public static List<String> places(ApiKey key) {
        KeyRestrictions limits = key.restrictions();
        if (limits == null) {
            return List.of();
        }
        return limits.bundles() != null && !limits.bundles().isEmpty() ? limits.bundles() : list(limits.namespaces());
    }

    /// Returns the key's other restrictions, each as part of a sentence.
    public static List<String> limits(ApiKey key) {
        KeyRestrictions limits = key.restrictions();
        if (limits == null) {
            return List.of();
        }
        var said = new ArrayList<String>();
        say(said, "from ", limits.cidrs());
        say(said, "queues ", limits.queues());
        say(said, "only to ", limits.uses());
        return said;
    }

    private static void say(List<String> said, String before, @Nullable List<String> entries) {
        if (entries != null && !entries.isEmpty()) {
            said.add(before + String.join(", ", entries));
        }
    }

    private static List<String> list(@Nullable List<String> entries) {
        return entries == null ? List.of() : entries;
    }

    /// Describes all rights of the key in one sentence.
    public static String sentence(ApiKey key) {
        String where = places(key).isEmpty() ? "everything in the organization" : String.join(", ", places(key));
        String limits = limits(key).isEmpty() ? "" : ", " + String.join(", ", limits(key));
        String end = key.expiresAt() == null ? "until it is revoked" : "until " + PageFormat.time(key.expiresAt());
        return key.name() + " may " + scope(key) + " " + where + limits + ", " + end + ".";
    }

    /// Returns a period such as `P90D` in words.
    static String period(String iso) {
        var period = Duration.parse(iso);
        if (period.equals(Duration.ofDays(period.toDays()))) {
            return PageFormat.count(period.toDays(), "day", "days");
        }
        return period.equals(Duration.ofHours(period.toHours()))
                ? PageFormat.count(period.toHours(), "hour", "hours")
                : iso;
    }
}
