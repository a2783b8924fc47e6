package dev.sheaf.server.bundle.pages.compare;

import dev.sheaf.model.Digest;
import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.model.wire.bundle.VersionDiff;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.pages.source.SourceLanguage;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.registry.Repository;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The files that a page of a comparison needs besides the diff: those with an open gap, and Markdown that is shown
/// rendered. They are read before the page is computed, so that a slow bucket holds up nobody else.
final class ComparedTexts {
    /// The longest text in bytes that is rendered.
    static final int MAX_RENDERED = 48 << 10;

    private static final int MAX_OPENED = 256 << 10; // bytes; larger files have no diff
    private static final long ALL_RENDERED = 128 << 10; // bytes of all files of a page
    private static final long ALL_OPENED = 1 << 20;
    private static final int COPIES = 8; // bytes, characters, and the attributes of each

    private final AskedComparison asked;
    private final Map<String, String> texts = new HashMap<>(); // by digest
    private final long bytes;

    private ComparedTexts(AskedComparison asked, long bytes) {
        this.asked = asked;
        this.bytes = bytes;
    }

    static ComparedTexts read(
            PageCall page, BundleReader bundles, Repository repository, VersionDiff diff, AskedComparison asked) {
        var layers = new LinkedHashMap<String, Layer>();
        var wanted = asked.wanted(diff);
        long most = asked.isRendered() ? ALL_RENDERED : ALL_OPENED;
        long all = 0;
        for (int i = 0;
                i < wanted.size() && (asked.isRendered() || !asked.open().isEmpty());
                i++) {
            var needed = needed(wanted.get(i), i, asked);
            long size = needed.stream().mapToLong(Layer::sizeBytes).sum();
            if (all + size <= most) {
                needed.forEach(layer -> layers.put(layer.contentSha256(), layer));
                all += size;
            }
        }
        var read = new ComparedTexts(asked, all);
        if (layers.isEmpty()) {
            return read;
        }
        page.call().borrow("the compared files", all, COPIES);
        layers.forEach((digest, layer) -> read.texts.put(digest, text(bundles, repository, layer)));
        return read;
    }

    private static List<Layer> needed(VersionDiff.Change change, int number, AskedComparison asked) {
        var before = change.before();
        var after = change.after();
        if (change.diff() == null) {
            return List.of();
        }
        if (asked.isRendered() && isRendered(change)) {
            return before == null ? List.of(after) : after == null ? List.of(before) : List.of(before, after);
        }
        return asked.opens(number) && after != null && after.sizeBytes() <= MAX_OPENED ? List.of(after) : List.of();
    }

    /// Returns whether a change is one of Markdown that is short enough to render.
    private static boolean isRendered(VersionDiff.Change change) {
        return SourceLanguage.isMarkdown(change.logicalPath()) && isShort(change.before()) && isShort(change.after());
    }

    private static boolean isShort(@Nullable Layer layer) {
        return layer == null || layer.sizeBytes() <= MAX_RENDERED;
    }

    private static String text(BundleReader bundles, Repository repository, Layer layer) {
        var content = bundles.open(repository, Digest.ofSha256Hex(layer.contentSha256()), layer.sizeBytes());
        var bytes = new ByteArrayOutputStream((int) layer.sizeBytes());
        try {
            content.writeTo(bytes, 0, content.length());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /// Returns the number of bytes that were read.
    long bytes() {
        return bytes;
    }

    /// Returns whether a file would be shown rendered alone, but this page has too many.
    boolean isLeftOut(VersionDiff.Change change) {
        return asked.isRendered()
                && asked.file().isEmpty()
                && isRendered(change)
                && (of(change.before()) == null || of(change.after()) == null);
    }

    /// Returns the text of a file; an empty one if there is no file, null if it was not read.
    @Nullable
    String of(@Nullable Layer layer) {
        return layer == null ? "" : texts.get(layer.contentSha256());
    }

    /// Returns the gaps of a file that are open.
    ///
    /// @param number the number of the file on the page
    OpenedGaps opened(VersionDiff.Change change, int number) {
        String text = change.after() == null ? null : of(change.after());
        return text == null || !asked.opens(number) ? OpenedGaps.NONE : OpenedGaps.of(text, asked.opened(number));
    }
}
