package dev.sheaf.server.org;

import dev.sheaf.model.Namespace;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Names that nobody may claim, and names that look like them (contract 2): `0fficial` and `ad-min` are refused as
/// well. Only new ones are asked; what is there under such a name stays.
public final class ReservedNames {
    /// The first segments of all routes, in which a namespace's pages would not be found. A test compares them.
    private static final Set<String> ROUTES = Set.of("v1", "v2", "health", "mcp", "problems", "sign-in");

    /// First segments that routes are going to have.
    private static final Set<String> PLANNED = Set.of(
            "account",
            "admin",
            "agentskill",
            "api",
            "device",
            "hub",
            "image",
            "invitations",
            "log",
            "login",
            "logout",
            "metrics",
            "new",
            "organizations",
            "setup",
            "static");

    /// Who claims one of these seems to speak for the registry.
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

    /// Whether no new namespace and no new organization may have the name. One that begins with `xn--` is shown by
    /// some programs as other letters, which may be somebody else's name (RFC 5890, section 2.3.2.1).
    public static boolean contains(Namespace name) {
        return name.value().startsWith("xn--") || SKELETONS.contains(skeleton(name.value()));
    }

    /// Whether no new bundle may have the name: `notes.git` is for clients of git, and `marketplace.json` for those
    /// of a namespace. No other word stands where a route has one.
    public static boolean endsLikeAnother(String bundle) {
        return bundle.endsWith(".git") || bundle.endsWith(".json");
    }

    /// What remains of a name when characters that look alike are one and hyphens are none.
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
