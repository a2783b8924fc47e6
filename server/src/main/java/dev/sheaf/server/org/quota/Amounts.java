package dev.sheaf.server.org.quota;

import dev.sheaf.model.text.Counted;

/// Amounts of usage that count for an organization. A negative amount lowers the usage.
///
/// @param bytes the bytes of manifests and blobs; a blob counts once for each repository that contains it
public record Amounts(long bytes, long bundles, long versions) {
    public static final Amounts NONE = new Amounts(0, 0, 0);
    public static final Amounts ONE_BUNDLE = new Amounts(0, 1, 0);
    public static final Amounts ONE_VERSION = new Amounts(0, 0, 1);

    public static Amounts ofBytes(long bytes) {
        return new Amounts(bytes, 0, 0);
    }

    public Amounts plus(Amounts more) {
        return new Amounts(bytes + more.bytes, bundles + more.bundles, versions + more.versions);
    }

    public Amounts minus(Amounts less) {
        return new Amounts(bytes - less.bytes, bundles - less.bundles, versions - less.versions);
    }

    long of(Counted what) {
        return switch (what) {
            case BYTES -> bytes;
            case BUNDLES -> bundles;
            case VERSIONS -> versions;
        };
    }
}
