package dev.sheaf.server.hub;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.cpu.ResultCache;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.heap.HeapShare;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Renders READMEs in the pool and caches them. Thread-safe.
public final class ReadmePages {
    private static final Duration LIMIT = Duration.ofSeconds(1);

    /// A rendered README in UTF-8.
    ///
    /// @param bytes the page, which must not be modified
    public record Rendered(byte[] bytes, Digest digest) {
        Rendered(byte[] bytes) {
            this(bytes, Digest.sha256(bytes));
        }
    }

    /// @param text the README; comparison is cheap, since a snapshot always returns the same object
    /// @param form the kind of rendering and the format; empty for the plain text
    private record Key(String text, String form, String title, String assets) {}

    private final ResultCache<Key, Rendered> known;
    private final ResultCache<Key, SafeHtml> parts;

    public ReadmePages(CpuPool cpu) {
        this.known = new ResultCache<>(
                cpu,
                LIMIT,
                HeapShare.README_PAGES.bytes(),
                (key, shown) ->
                        HeapShare.ofArray(shown.bytes().length) + HeapShare.ofText(key.text()) + HeapShare.ENTRY);
        this.parts = new ResultCache<>(
                cpu,
                LIMIT,
                HeapShare.README_PARTS.bytes(),
                (key, shown) ->
                        HeapShare.ofArray(shown.bytes().length) + HeapShare.ofText(key.text()) + HeapShare.ENTRY);
    }

    /// Returns the README as a page; parameters as [ReadmeHtml#page].
    ///
    /// @param before runs if the page is not cached; may refuse by throwing
    /// @throws ProblemException those of [CpuPool#run]
    public Rendered page(String title, String text, @Nullable String format, String assets, Runnable before) {
        return known.get(new Key(text, "page of " + format, title, assets), () -> {
            before.run();
            return budget -> new Rendered(ReadmeHtml.page(title, text, format, assets, budget));
        });
    }

    /// Returns the README as a part of a page; parameters as [#page].
    ///
    /// @throws ProblemException those of [CpuPool#run]
    public SafeHtml part(String text, @Nullable String format, String assets, Runnable before) {
        return parts.get(new Key(text, "part of " + format, "", assets), () -> {
            before.run();
            return budget -> ReadmeHtml.part(text, format, assets, budget);
        });
    }

    /// Returns the README as its author wrote it.
    ///
    /// @throws ProblemException those of [CpuPool#run]
    public Rendered plain(String text) {
        return known.get(new Key(text, "", "", ""), budget -> new Rendered(text.getBytes(StandardCharsets.UTF_8)));
    }
}
