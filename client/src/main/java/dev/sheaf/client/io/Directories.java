package dev.sheaf.client.io;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where this program keeps a user's files: the XDG base directories, where they are set or on Linux, else the
/// platform's own places.
///
/// @param data credentials
/// @param config settings
/// @param cache content that can be fetched again
public record Directories(Path data, Path config, Path cache) {
    private static final String NAME = "sheaf";

    /// Those of the user who runs this process.
    public static Directories ofThisUser() {
        String platform = System.getProperty("os.name", "");
        Path home = Path.of(System.getProperty("user.home", "."));
        // Java takes the home from the user database; a shell's own HOME goes first, as everywhere else.
        return of(System.getenv(), platform, isWindows(platform) ? home : absolute(System.getenv(), "HOME", home));
    }

    /// Those of a user with this environment and home on the platform of this name.
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

    /// A relative path is ignored, as the XDG specification asks.
    private static Path absolute(Map<String, String> environment, String variable, Path otherwise) {
        @Nullable String value = environment.get(variable);
        return value != null && Path.of(value).isAbsolute() ? Path.of(value) : otherwise;
    }
}
