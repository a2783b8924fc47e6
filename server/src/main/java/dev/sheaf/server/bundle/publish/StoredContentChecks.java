package dev.sheaf.server.bundle.publish;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.check.ContentChecks;
import dev.sheaf.server.bundle.check.PluginChecks;
import dev.sheaf.server.bundle.check.SkillChecks;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.Blobs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Checks content that a repository holds. Reads a limited amount: only the beginning of large assets, and only
/// the first assets if there are very many. Thread-safe.
public final class StoredContentChecks {
    /// The maximum number of bytes read for a version that is published from working assets.
    static final long WHOLE_BUNDLE = 64L << 20;
    /// The maximum number of bytes read for a pushed manifest, so that the push does not wait long.
    static final long PUSHED_MANIFEST = 4L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(StoredContentChecks.class);
    private static final int WHOLE = 4 << 20;
    private static final int START = 4 << 10;

    private final Repositories repositories;
    private final Blobs blobs;
    private final ContentChecks checks;

    public StoredContentChecks(Repositories repositories, Blobs blobs, ContentChecks checks) {
        this.repositories = repositories;
        this.blobs = blobs;
        this.checks = checks;
    }

    /// Returns the warnings for assets of a repository.
    ///
    /// @param budget the maximum number of bytes to read
    List<ContentChecks.Warning> of(RepositoryName name, List<Asset> assets, long budget) {
        var repository = repositories.find(name);
        if (repository.isEmpty()) {
            return List.of();
        }
        var warnings = new ArrayList<ContentChecks.Warning>();
        long left = budget;
        for (Asset asset : assets) {
            int count = (int) Math.min(asset.size(), asset.size() <= WHOLE ? WHOLE : START);
            if (count > left) {
                warnings.add(new ContentChecks.Warning(
                        asset.path(), "not-checked", "this asset and those after it are too large to be checked"));
                break;
            }
            left -= count;
            blobs.find(repository.get(), asset.digest())
                    .flatMap(blob -> read(blob, count))
                    .ifPresent(bytes -> warnings.addAll(checks.of(
                            new ContentChecks.Sample(asset.path(), asset.mediaType(), bytes, count == asset.size()))));
        }
        return ContentChecks.bounded(warnings);
    }

    /// Returns all warnings for a version whose files the repository holds already, within the limits of a pushed
    /// manifest.
    public List<ContentChecks.Warning> ofVersion(RepositoryName name, Version version, List<Asset> assets) {
        var warnings = new ArrayList<>(of(name, assets, PUSHED_MANIFEST));
        warnings.addAll(ofParts(name, version, assets));
        return warnings;
    }

    /// Returns the warnings for the skills and the plugin among all assets of a version.
    List<ContentChecks.Warning> ofParts(RepositoryName name, Version version, List<Asset> assets) {
        return repositories
                .find(name)
                .map(repository -> Stream.concat(
                                SkillChecks.of(name.bundle().value(), assets, reading(repository, SkillText.MAX_BYTES))
                                        .stream(),
                                PluginChecks.of(
                                        name.bundle().value(),
                                        version,
                                        assets,
                                        reading(repository, PluginChecks.MAX_BYTES))
                                        .stream())
                        .toList())
                .orElse(List.of());
    }

    private Function<Asset, Optional<byte[]>> reading(Repository repository, int count) {
        return asset -> blobs.find(repository, asset.digest()).flatMap(blob -> read(blob, count));
    }

    /// Reads the beginning of a blob; empty if that fails, which is reported elsewhere.
    private Optional<byte[]> read(BlobRecord blob, int count) {
        try {
            var out = new ByteArrayOutputStream((int) Math.min(count, blob.size()));
            blobs.open(blob).writeTo(out, 0, Math.min(count, blob.size()));
            return Optional.of(out.toByteArray());
        } catch (IOException | ProblemException e) {
            LOG.warn("cannot check {}", blob.digest(), e);
            return Optional.empty();
        }
    }
}
