package dev.sheaf.server.git.repository;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.ConfigConstants;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;

/// The settings of JGit in this process. It reads no files of the user, starts no `git` to find those of the
/// system, and does not measure the clock of the disk, which takes three seconds.
final class JGitSettings extends SystemReader.Delegate {
    private static final JGitSettings ONLY = new JGitSettings(SystemReader.getInstance());

    private final Config preset = new Config();

    private JGitSettings(SystemReader system) {
        super(system);
    }

    /// @param folder a folder in which JGit will read files
    static synchronized void use(Path folder) throws IOException {
        String disk = ofJava("vendor") + "|" + ofJava("version") + "|"
                + Files.getFileStore(folder).name();
        String section = ConfigConstants.CONFIG_FILESYSTEM_SECTION;
        ONLY.preset.setString(section, disk, ConfigConstants.CONFIG_KEY_TIMESTAMP_RESOLUTION, "1 milliseconds");
        ONLY.preset.setString(section, disk, ConfigConstants.CONFIG_KEY_MIN_RACY_THRESHOLD, "10 milliseconds");
        if (SystemReader.getInstance() != ONLY) {
            SystemReader.setInstance(ONLY);
        }
    }

    private static String ofJava(String property) {
        return System.getProperty("java." + property);
    }

    @Override
    public FileBasedConfig openUserConfig(Config parent, FS fs) {
        return new WithoutFile(preset, fs);
    }

    @Override
    public FileBasedConfig openSystemConfig(Config parent, FS fs) {
        return new WithoutFile(parent, fs);
    }

    @Override
    public FileBasedConfig openJGitConfig(Config parent, FS fs) {
        return new WithoutFile(parent, fs);
    }

    private static final class WithoutFile extends FileBasedConfig {
        WithoutFile(Config parent, FS fs) {
            super(parent, null, fs);
        }

        @Override
        public void load() {
            // there is no file
        }

        @Override
        public void save() {
            // there is no file
        }

        @Override
        public boolean isOutdated() {
            return false;
        }
    }
}
