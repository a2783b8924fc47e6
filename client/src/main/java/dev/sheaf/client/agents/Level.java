package dev.sheaf.client.agents;

/// Whose things they are.
public enum Level {
    /// Those of a project, for all who work on it.
    PROJECT,
    /// Those of one user, in each project.
    USER;

    /// The folder of `sheaf-install.json` and its lock, below the project or the home; with a slash behind it.
    public String folder() {
        return this == USER ? ".sheaf/" : "";
    }
}
