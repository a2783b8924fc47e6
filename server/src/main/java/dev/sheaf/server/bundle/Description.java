package dev.sheaf.server.bundle;

import org.jspecify.annotations.Nullable;

/// What a publisher says of a bundle. The bundle shows what its newest version said.
public record Description(
        String name,
        @Nullable String description,
        @Nullable String readmeContent,
        @Nullable String readmeFormat) {}
