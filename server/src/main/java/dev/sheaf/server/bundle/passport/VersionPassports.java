package dev.sheaf.server.bundle.passport;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.cpu.ResultCache;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.passport.Passport;
import dev.sheaf.model.passport.PassportScan;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.BundleSnapshot.Resolved;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.registry.Repository;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongConsumer;

/// Makes the passports of versions, and keeps them by the digest of the manifest, since a version never changes.
/// Thread-safe.
public final class VersionPassports {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(1); // of a publisher
    private static final int BYTES_OF_ENTRY = 400;
    private static final int BYTES_OF_PLACE = 150;

    private final AssetBytes content;
    private final ResultCache<Digest, Passport> results;

    public VersionPassports(AssetBytes content, CpuPool cpu) {
        this.content = content;
        this.results = new ResultCache<>(
                cpu, LIMIT, HeapShare.PASSPORTS.bytes(), (manifest, passport) -> HeapShare.ENTRY + weight(passport));
    }

    private static int weight(Passport passport) {
        return passport.unread().size() * BYTES_OF_PLACE
                + passport.rows()
                        .all()
                        .mapToInt(entry ->
                                BYTES_OF_ENTRY + BYTES_OF_PLACE * entry.places().size())
                        .sum();
    }

    /// Returns the passport of a version of a repository.
    ///
    /// @param before receives the number of bytes to be read if the passport is not kept; may refuse by throwing
    /// @throws ProblemException those of [CpuPool#run]; blob-unknown if content is damaged
    public Passport of(Repository repository, Resolved version, LongConsumer before) {
        return of(repository, version.version().digest(), version.assets(), before);
    }

    /// Returns the passport of the version with this manifest.
    ///
    /// @throws ProblemException as above
    public Passport of(Repository repository, Digest manifest, List<StoredAsset> assets, LongConsumer before) {
        return required(
                repository, manifest, assets.stream().map(StoredAsset::asset).toList(), before);
    }

    /// Returns the passport of content that is about to be published; empty if the processors are busy, or if it
    /// takes longer than a publisher should wait.
    ///
    /// @param manifest the digest of the manifest with these assets
    /// @param bytes returns the content of each asset by its path
    public Optional<Passport> ofContent(Digest manifest, List<Asset> assets, Function<String, Optional<byte[]>> bytes) {
        try {
            return Optional.of(results.get(manifest, () -> {
                var scan = PassportScan.of(
                        assets.stream().map(VersionPassports::source).toList());
                return budget -> {
                    var patience = Budget.of(PATIENCE);
                    return scan.scan(path -> bytes.apply(path).map(VersionPassports::beginning), () -> {
                        budget.check();
                        patience.check();
                    });
                };
            }));
        } catch (ProblemException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /// Returns the passport of content in memory that is about to be published, and that a policy wants to know.
    ///
    /// @param bytes returns the content of each asset by its path
    /// @throws ProblemException those of [CpuPool#run]
    public Passport required(Digest manifest, List<Asset> assets, Function<String, Optional<byte[]>> bytes) {
        return results.get(manifest, () -> {
            var scan = PassportScan.of(
                    assets.stream().map(VersionPassports::source).toList());
            return budget -> scan.scan(path -> bytes.apply(path).map(VersionPassports::beginning), budget::check);
        });
    }

    /// Returns the passport of assets that a repository holds, and that a policy wants to know before they are
    /// published.
    ///
    /// @param before receives the number of bytes to be read if the passport is not kept; may refuse by throwing
    /// @throws ProblemException as above
    public Passport required(Repository repository, Digest manifest, List<Asset> assets, LongConsumer before) {
        return results.get(manifest, () -> {
            var scan = PassportScan.of(
                    assets.stream().map(VersionPassports::source).toList());
            before.accept(
                    scan.wanted().stream().mapToLong(PassportScan.Part::bytes).sum());
            var beginnings = read(repository, assets, scan.wanted());
            return budget -> scan.scan(path -> Optional.ofNullable(beginnings.get(path)), budget::check);
        });
    }

    /// Returns the part of a file that is read, so that the passport is the same as later from what is stored.
    private static byte[] beginning(byte[] file) {
        return file.length <= PassportScan.Limits.REGISTRY.file()
                ? file
                : Arrays.copyOf(file, PassportScan.Limits.REGISTRY.file());
    }

    private static PassportScan.Source source(Asset asset) {
        return new PassportScan.Source(asset.path().value(), asset.size(), Boolean.TRUE.equals(asset.executable()));
    }

    /// Reads the files before computing, so that a slow bucket does not block the pool.
    private Map<String, byte[]> read(Repository repository, List<Asset> assets, List<PassportScan.Part> wanted) {
        var digests = new HashMap<String, Asset>();
        assets.forEach(asset -> digests.put(asset.path().value(), asset));
        var beginnings = new HashMap<String, byte[]>();
        for (var part : wanted) {
            var asset = digests.get(part.source().path());
            if (asset != null) {
                beginnings.put(part.source().path(), read(repository, asset, part.bytes()));
            }
        }
        return beginnings;
    }

    private byte[] read(Repository repository, Asset asset, int bytes) {
        var opened = content.open(repository, asset.digest(), asset.size());
        if (bytes == asset.size()) {
            return opened.bytes();
        }
        try {
            var out = new ByteArrayOutputStream(bytes);
            opened.writeTo(out, 0, bytes);
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
