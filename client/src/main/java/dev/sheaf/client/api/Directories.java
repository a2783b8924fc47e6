package dev.sheaf.client.api;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The folders for a user's files: the XDG base directories if they are set or on Linux, else the standard folders
/// of the platform.
///
/// @param data the folder for credentials
/// @param config the folder for settings
/// @param cache the folder for content that can be fetched again
public record Directories(Path data, Path config, Path cache) {
    private static final String NAME = "sheaf";

    /// Returns the folders of the user who runs this process.
    public static Directories ofThisUser() {
        return of(System.getenv(), platform(), home());
    }

    /// Returns the home of the user who runs this process.
    public static Path home() {
        Path home = Path.of(System.getProperty("user.home", "."));
        // Java takes the home from the user database; the environment's HOME takes precedence, as in other
        // programs.
        return isWindows(platform()) ? home : absolute(System.getenv(), "HOME", home);
    }

    private static String platform() {
        return System.getProperty("os.name", "");
    }

    /// Returns the folders of a user with this environment and home, on the platform with this name.
    public static Directories of(Map<String, String> environment, String platform, Path home) {
        if (isWindows(platform)) {
            Path local = absolute(environment, "LOCALAPPDATA", home.resolve("AppData/Local"));
            Path roaming = absolute(environment, "APPDATA", home.resolve("AppData/Roaming"));
            return new Directories(
                    local.resolve(NAME).resolve("data"),
                    roaming.resolve(NAME),
                    local.resolve(NAME).resolve("cache"));
        }
        boolean mac = platform.toLowerCase(Locale.ROOT).startsWith("mac");
        Path support = home.resolve("Library/Application Support");
        Path data = absolute(environment, "XDG_DATA_HOME", mac ? support : home.resolve(".local/share"));
        Path config = absolute(environment, "XDG_CONFIG_HOME", mac ? support : home.resolve(".config"));
        Path cache = absolute(environment, "XDG_CACHE_HOME", home.resolve(mac ? "Library/Caches" : ".cache"));
        return new Directories(data.resolve(NAME), config.resolve(NAME), cache.resolve(NAME));
    }

    private static boolean isWindows(String platform) {
        return platform.toLowerCase(Locale.ROOT).startsWith("windows");
    }

    /// Relative paths are ignored, as the XDG specification requires.
    private static Path absolute(Map<String, String> environment, String variable, Path otherwise) {
        @Nullable String value = environment.get(variable);
        return value != null && Path.of(value).isAbsolute() ? Path.of(value) : otherwise;
    }
}
