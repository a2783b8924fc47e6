package dev.sheaf.server.org;

import dev.sheaf.model.Namespace;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Names that cannot be claimed, and names that look like them (contract 2): `0fficial` and `ad-min` are
/// refused too. Only new names are checked; existing names stay valid.
public final class ReservedNames {
    /// The first segments of all routes, which would hide a namespace's pages. A test compares this list with
    /// the routes.
    private static final Set<String> ROUTES =
            Set.of("v1", "v2", "apm", "ard", "health", "mcp", "problems", "sign-in", "client", "guide", "welcome");

    /// First segments of planned routes.
    private static final Set<String> PLANNED = Set.of(
            "account",
            "admin",
            "advisories",
            "agentskill",
            "api",
            "apm",
            "ard",
            "device",
            "events",
            "hub",
            "image",
            "invitations",
            "limits",
            "log",
            "login",
            "logout",
            "metrics",
            "new",
            "oauth",
            "organizations",
            "reviews",
            "search",
            "setup",
            "static",
            "status",
            "users");

    /// Names of devices: Windows has no folder with such a name, so nobody there could install what is in it.
    private static final Pattern DEVICES = Pattern.compile("con|prn|aux|nul|(?:com|lpt)[0-9]");

    /// Names that look official.
    private static final Set<String> OFFICES = Set.of(
            "official",
            "verified",
            "administrator",
            "sheaf",
            "system",
            "root",
            "support",
            "security",
            "console",
            "www",
            "docs",
            "library",
            "token",
            "null",
            "undefined");
    private static final Set<String> SKELETONS = Stream.of(ROUTES, PLANNED, OFFICES)
            .flatMap(Set::stream)
            .map(ReservedNames::skeleton)
            .collect(Collectors.toUnmodifiableSet());

    private ReservedNames() {}

    /// Returns the names that begin addresses of the registry. Somebody may have claimed one before it was reserved:
    /// the
    /// registry's addresses hide the pages of such a namespace.
    public static Set<Namespace> ofAddresses() {
        return Stream.of(ROUTES, PLANNED)
                .flatMap(Set::stream)
                .map(Namespace::new)
                .collect(Collectors.toUnmodifiableSet());
    }

    /// Returns whether new namespaces and organizations must not have the name. Some programs show a name that
    /// begins with `xn--` in other letters, which may look like another name (RFC 5890, section 2.3.2.1).
    public static boolean contains(Namespace name) {
        return name.value().startsWith("xn--")
                || DEVICES.matcher(name.value()).matches()
                || SKELETONS.contains(skeleton(name.value()));
    }

    /// Returns whether new bundles must not have the name, because its suffix conflicts with other routes:
    /// `notes.git` is for git clients, and `marketplace.json` is a document of a namespace. No other fixed word
    /// conflicts with the name of a bundle.
    public static boolean endsLikeAnother(String bundle) {
        return bundle.endsWith(".git") || bundle.endsWith(".json");
    }

    /// Reduces a name: characters that look alike become one, and hyphens are removed.
    private static String skeleton(String name) {
        return name.replace("-", "")
                .replace("rn", "m")
                .replace("vv", "w")
                .replace('0', 'o')
                .replace('1', 'l')
                .replace('i', 'l')
                .replace('3', 'e')
                .replace('4', 'a')
                .replace('5', 's')
                .replace('8', 'b');
    }
}
