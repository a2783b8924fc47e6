package dev.sheaf.server.bundle.pages.compare;

import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.model.wire.bundle.VersionDiff;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Images that a page shows before and after a change.
final class ChangedImage {
    private static final Set<String> SHOWN = Set.of("png", "jpg", "jpeg", "gif", "webp");
    private static final long MAX_SIZE = 2 << 20; // bytes

    private ChangedImage() {}

    /// Returns whether both are images, by their names, and small enough. A browser shows nothing if the bytes are no
    /// image, because they are sent as what they are.
    static boolean isShown(VersionDiff.Change change) {
        return isShown(change.before()) && isShown(change.after());
    }

    private static boolean isShown(@Nullable Layer layer) {
        if (layer == null) {
            return true;
        }
        String path = layer.logicalPath();
        return layer.sizeBytes() <= MAX_SIZE
                && SHOWN.contains(path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
    }
}
