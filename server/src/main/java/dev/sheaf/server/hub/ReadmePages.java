package dev.sheaf.server.hub;

import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.cpu.Results;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// READMEs as they are shown, each made once on the threads for such work. Thread-safe.
public final class ReadmePages {
    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final long BYTES = 16 << 20;

    /// What is shown, in UTF-8.
    ///
    /// @param bytes not to be changed
    public record Rendered(byte[] bytes, Digest digest) {
        Rendered(byte[] bytes) {
            this(bytes, Digest.sha256(bytes));
        }
    }

    /// @param text compared at no cost as long as it is the one of the same snapshot
    /// @param form empty where the text is shown as it is
    private record Key(String text, String form, String title, String assets) {}

    private final Results<Key, Rendered> known;
    private final Results<Key, SafeHtml> parts;

    public ReadmePages(CpuPool cpu) {
        this.known = new Results<>(
                cpu,
                LIMIT,
                BYTES,
                (key, shown) -> shown.bytes().length + 2 * key.text().length() + 512);
        this.parts = new Results<>(
                cpu,
                LIMIT,
                BYTES,
                (key, shown) -> shown.bytes().length + 2 * key.text().length() + 512);
    }

    /// As a page; parameters as of [Readme#page].
    ///
    /// @param before runs where the page is not known yet; it may refuse
    /// @throws ProblemException as [CpuPool#run]
    public Rendered page(String title, String text, @Nullable String format, String assets, Runnable before) {
        return known.get(new Key(text, "page of " + format, title, assets), () -> {
            before.run();
            return budget -> new Rendered(Readme.page(title, text, format, assets, budget));
        });
    }

    /// As a part of a page; parameters as of [#page].
    ///
    /// @throws ProblemException as [CpuPool#run]
    public SafeHtml part(String text, @Nullable String format, String assets, Runnable before) {
        return parts.get(new Key(text, "part of " + format, "", assets), () -> {
            before.run();
            return budget -> Readme.part(text, format, assets, budget);
        });
    }

    /// As its author wrote it.
    ///
    /// @throws ProblemException as [CpuPool#run]
    public Rendered plain(String text) {
        return known.get(new Key(text, "", "", ""), budget -> new Rendered(text.getBytes(StandardCharsets.UTF_8)));
    }
}
