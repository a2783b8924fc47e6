package dev.sheaf.server.bundle.api.model;

import dev.sheaf.model.Version;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A version that was published, in a [BundleModel].
final class Release {
    final Version version;
    final String content;
    final Map<String, String> assets;
    boolean isYanked;

    @Nullable
    String deprecation;

    Release(Version version, String content, Map<String, String> assets) {
        this.version = version;
        this.content = content;
        this.assets = Map.copyOf(assets);
    }
}
