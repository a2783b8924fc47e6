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

    /// Returns the folder of plugins, relative to the project or the home; ends in a slash. It is the same on all
    /// systems, because the lock names it.
    public String plugins() {
        return this == USER ? ".local/share/sheaf/plugins/" : ".agents/plugins/";
    }

    /// Returns the folder with the data that plugins keep, relative to the home; ends in a slash. Plugins in a project
    /// have none.
    public String pluginData() {
        return ".local/share/sheaf/plugin-data/";
    }
}
