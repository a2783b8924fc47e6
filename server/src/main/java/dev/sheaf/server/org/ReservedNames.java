package dev.sheaf.server.org;

import dev.sheaf.model.Namespace;
import java.util.Set;
import java.util.stream.Collectors;

/// Names that nobody may claim, and names that look like them (contract 2): `0fficial` and `ad-min` are refused as
/// well.
final class ReservedNames {
    private static final Set<String> RESERVED = Set.of(
            "official",
            "verified",
            "admin",
            "administrator",
            "api",
            "hub",
            "v1",
            "v2",
            "sheaf",
            "system",
            "root",
            "support",
            "security",
            "console",
            "health",
            "problems",
            "static",
            "www",
            "docs",
            "library",
            "token",
            "null",
            "undefined");
    private static final Set<String> SKELETONS =
            RESERVED.stream().map(ReservedNames::skeleton).collect(Collectors.toUnmodifiableSet());

    private ReservedNames() {}

    static boolean contains(Namespace name) {
        return SKELETONS.contains(skeleton(name.value()));
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
