package dev.sheaf.client.agents;

/// The level of an installation: one project, or all projects of a user.
public enum InstallLevel {
    /// Installs in a project, for everyone who works on it.
    PROJECT,
    /// Installs in the home of a user, for all projects.
    USER;

    /// Returns the folder of `sheaf-install.json` and its lock, relative to the project or the home; ends in a
    /// slash.
    public String folder() {
        return this == USER ? ".sheaf/" : "";
    }
}
