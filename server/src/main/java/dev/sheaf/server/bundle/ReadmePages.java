package dev.sheaf.server.bundle;

import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.cpu.Results;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// READMEs as pages, each rendered once on the threads for such work. Thread-safe.
public final class ReadmePages {
    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final long BYTES = 8 << 20;

    private record Key(Digest text, String title, String format, String assets) {}

    private final Results<Key, byte[]> pages;

    public ReadmePages(CpuPool cpu) {
        this.pages = new Results<>(cpu, LIMIT, BYTES, (key, page) -> page.length + 512);
    }

    /// The whole page in UTF-8, not to be changed; parameters as of [Readme#page].
    ///
    /// @param before runs where the page is not known yet; it may refuse
    /// @throws ProblemException as [CpuPool#run]
    public byte[] page(String title, String text, @Nullable String format, String assets, Runnable before) {
        var digest = Digest.sha256(text.getBytes(StandardCharsets.UTF_8));
        return pages.get(new Key(digest, title, format == null ? "" : format, assets), () -> {
            before.run();
            return budget -> Readme.page(title, text, format, assets, budget);
        });
    }
}
