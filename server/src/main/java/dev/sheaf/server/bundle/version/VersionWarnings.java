package dev.sheaf.server.bundle.version;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Version;
import dev.sheaf.server.bundle.BundleRows;
import dev.sheaf.server.bundle.DeprecationNotice;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.RepositoryCache;
import dev.sheaf.server.registry.content.ManifestRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Warnings for users who pull a manifest: its version is yanked, or it or its bundle is deprecated. Cached until
/// a change of the repository is announced, so that pulls do not query the database. Thread-safe.
public final class VersionWarnings {
    private static final int REMEMBERED = HeapShare.ADVISORIES.entries(1, 100 + HeapShare.ENTRY);

    /// @param tag the requested tag; empty if the manifest was requested by its digest
    private record Subject(long manifestId, String tag) {}

    private final Database database;
    private final RepositoryCache<Subject, List<String>> held;

    public VersionWarnings(Database database) {
        this.database = database;
        this.held = new RepositoryCache<>(database, "advisories", REMEMBERED);
    }

    /// Returns at most three sentences in the publisher's own words; usually none.
    ///
    /// @param reference the tag or digest that was requested. A version's tag means that version; anything else
    /// means the newest version with this manifest, preferring versions that are not yanked
    public List<String> of(Repository repository, ManifestRecord manifest, String reference) {
        var subject = new Subject(manifest.id(), reference.indexOf(':') < 0 ? reference : "");
        return held.get(repository, subject, () -> Optional.of(database.read(tx -> load(tx, repository, subject))))
                .orElseThrow();
    }

    private static List<String> load(Tx tx, Repository repository, Subject subject) {
        var bundle = BundleRows.find(tx, repository.id());
        if (bundle.isEmpty()) {
            return List.of();
        }
        var id = bundle.get().id();
        var sentences = new ArrayList<String>();
        Version.ofOciTag(subject.tag())
                .flatMap(version -> VersionRows.exact(tx, id, version))
                .or(() -> VersionRows.findByManifest(tx, id, subject.manifestId()))
                .ifPresent(version -> {
                    String name = repository.name() + " " + version.version();
                    var recall = version.recall();
                    if (recall != null) {
                        sentences.add(sentence(
                                name + " is recalled (" + recall.severity() + ")",
                                recall.reason(),
                                recall.replacement()));
                    } else if (version.isYanked()) {
                        sentences.add(yanked(name, version));
                    }
                    deprecated(name, version.deprecation()).ifPresent(sentences::add);
                });
        deprecated(repository.name().toString(), bundle.get().deprecation()).ifPresent(sentences::add);
        return List.copyOf(sentences);
    }

    /// Returns the sentence about a yanked version, in the publisher's own words.
    ///
    /// @param name the bundle and the number of the version
    public static String yanked(String name, VersionRow version) {
        var code = version.yankReasonCode();
        return sentence(
                name + " is yanked" + (code == null ? "" : " (" + code + ")"),
                version.yankReason(),
                version.yankReplacement());
    }

    private static Optional<String> deprecated(String name, @Nullable DeprecationNotice deprecation) {
        return Optional.ofNullable(deprecation)
                .map(advice -> sentence(name + " is deprecated", advice.message(), advice.replacement()));
    }

    private static String sentence(String state, @Nullable String reason, @Nullable String replacement) {
        return state
                + (reason == null || reason.isBlank() ? "" : ": " + reason)
                + (replacement == null ? "" : "; use instead: " + replacement);
    }
}
