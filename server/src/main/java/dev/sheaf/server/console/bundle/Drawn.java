package dev.sheaf.server.console.bundle;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.server.console.Markup;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.hub.ReadmePages;
import org.jspecify.annotations.Nullable;

/// What is made of things that never change, each made once: READMEs by their text, drawings by the digest of their
/// version. Thread-safe.
final class Drawn {
    private static final int DRAWINGS = 2_000;

    private final ReadmePages readmes;
    private final Cache<String, Stalks> stalks =
            Caffeine.newBuilder().maximumSize(DRAWINGS).executor(Runnable::run).build();

    Drawn(ReadmePages readmes) {
        this.readmes = readmes;
    }

    @Nullable
    Markup readme(PageCall page, Seen seen, BundleRecord bundle) {
        String text = bundle.readmeContent();
        if (text == null || text.isBlank()) {
            return null;
        }
        String files = seen.at("/versions/latest/files/").toString();
        return new Markup(readmes.part(text, bundle.readmeFormat(), files, page.call()::pay));
    }

    Stalks stalks(VersionDetail version) {
        var files = version.manifest().assets();
        String digest = version.ociDigest();
        return digest == null ? Stalks.of(files) : stalks.get(digest, missing -> Stalks.of(files));
    }
}
