package dev.sheaf.client.install;

import dev.sheaf.client.agents.ContentKind;
import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.RepositoryName;
import java.nio.file.Path;

/// The folders of an installed plugin.
///
/// @param root the real path of the project or the home
/// @param bundle the plugin
/// @param registry where it comes from: plugins of two registries never share data
record PluginFolder(InstallLevel level, Path root, RepositoryName bundle, RegistryUrl registry) {
    ThingName name() {
        return new ThingName(ContentKind.PLUGIN, bundle.toString());
    }

    /// Returns whether entries of servers may name its folders. Others read the files of a project, in other places.
    boolean isNamed() {
        return level == InstallLevel.USER;
    }

    /// Returns the absolute path of its files.
    String files() {
        return root.resolve(level.plugins() + bundle).toString();
    }

    /// Returns the absolute path of the data that it keeps.
    String data() {
        return root.resolve(dataPlace()).toString();
    }

    /// Returns the path of its data relative to the home.
    String dataPlace() {
        return level.pluginData() + registry.folderName() + "/" + bundle;
    }
}
