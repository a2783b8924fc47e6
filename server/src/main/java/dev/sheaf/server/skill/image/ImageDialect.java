package dev.sheaf.server.skill.image;

import java.util.Locale;

/// A format in which OCI clients can pull versions. It is the first part of the repository's name.
public enum ImageDialect {
    /// A skill as an OCI artifact.
    AGENTSKILL,
    /// A version or a skill as an image with its files at the root.
    IMAGE;

    /// Returns the word used in names and in the database.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
