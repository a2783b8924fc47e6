package dev.sheaf.server.bundle.pages.overview;

import dev.sheaf.model.skill.SkillText;
import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.pages.files.Content;
import dev.sheaf.server.bundle.pages.files.OpenedVersion;
import dev.sheaf.server.bundle.pages.files.ShownFile;
import dev.sheaf.server.bundle.pages.source.FrontMatterTable;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.UserHtml;
import org.jspecify.annotations.Nullable;

/// The SKILL.md of a bundle that has one skill and no README.
///
/// @param link the page of the file
/// @param html null if the file is too long to render
/// @param hides whether it has hidden characters or probable secrets
public record SkillPreview(
        Layer file,
        String link,
        String raw,
        @Nullable FrontMatterTable front,
        @Nullable UserHtml html,
        boolean hides) {
    static @Nullable SkillPreview of(PageCall page, BundleReader bundles, OpenedVersion opened, String path) {
        var file = opened.version().manifest().assets().stream()
                .filter(layer -> layer.logicalPath().equals(path))
                .findFirst();
        if (file.isEmpty() || file.get().sizeBytes() > SkillText.MAX_BYTES) {
            return null;
        }
        var content = Content.of(page, bundles, opened, file.get());
        if (content.text() == null) {
            return null;
        }
        var shown = ShownFile.of(page, opened, file.get(), content, -1);
        return new SkillPreview(
                file.get(),
                opened.seen().file(opened.version().version(), path),
                opened.raw(path),
                shown.front(),
                shown.rendered(),
                !shown.findings().shown().isEmpty());
    }
}
