package dev.sheaf.server.bundle;

import org.jspecify.annotations.Nullable;

/// What a publisher says of a bundle. The bundle shows what its newest version said, until it is edited.
public record Description(
        String name,
        @Nullable String description,
        @Nullable String readmeContent,
        @Nullable String readmeFormat) {
    /// What the bundle shows after a version that said this: what it left out stays, also a name that is only the
    /// slug again.
    public Description over(Snapshot bundle) {
        var before = bundle.bundle();
        return new Description(
                name.equals(bundle.name().bundle().value()) ? before.name() : name,
                description == null ? before.description() : description,
                readmeContent == null ? before.readmeContent() : readmeContent,
                readmeContent == null ? before.readmeFormat() : readmeFormat);
    }
}
