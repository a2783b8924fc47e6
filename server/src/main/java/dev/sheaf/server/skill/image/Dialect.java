package dev.sheaf.server.skill.image;

import java.util.Locale;

/// A form in which versions are offered to OCI clients; the first part of the repository's name.
public enum Dialect {
    /// A skill as an artifact of skills.
    AGENTSKILL,
    /// A version, or a skill, as an image with its files at the root.
    IMAGE;

    /// The word in names and in the database.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
