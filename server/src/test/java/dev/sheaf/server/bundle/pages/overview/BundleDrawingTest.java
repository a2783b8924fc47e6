package dev.sheaf.server.bundle.pages.overview;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.wire.bundle.Layer;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class BundleDrawingTest {
    /// Other words than those of the API would be second names for the same thing.
    @Test
    void namesKindsAsTheApiDoes() {
        var files = Arrays.stream(AssetType.values())
                .map(type -> new Layer(new UUID(0, 1), "a", type.toString(), "", 10, null, null))
                .toList();

        assertThat(BundleDrawing.of(files).kinds())
                .containsOnlyKeys("agent_spec", "config", "mcp", "other", "plugin", "prompt", "skill", "toolset");
    }
}
