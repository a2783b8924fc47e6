package dev.sheaf.client.agents;

/// Where things are installed.
public enum Level {
    /// In a project, for everyone who works on it.
    PROJECT,
    /// In the home of a user, for all projects.
    USER;

    /// Returns the folder of `sheaf-install.json` and its lock, relative to the project or the home; ends in a
    /// slash.
    public String folder() {
        return this == USER ? ".sheaf/" : "";
    }
}
