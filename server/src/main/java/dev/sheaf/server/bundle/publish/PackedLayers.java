package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.archive.PackedFile;
import dev.sheaf.model.archive.PackedFiles;
import dev.sheaf.model.archive.UnfitArchive;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.check.ContentChecks;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.ManifestDocument;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lists the files in the single layer of a pushed manifest, if that layer is an archive. The layer is read once,
/// piece by piece, and unpacked in the pool. Thread-safe.
public final class PackedLayers {
    private static final Logger LOG = LoggerFactory.getLogger(PackedLayers.class);
    private static final long MAX_BYTES = 80L << 20; // packed size in bytes; the unpacked size has its own limit
    private static final int PIECE = 256 << 10;
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Repositories repositories;
    private final Blobs blobs;
    private final CpuPool cpu;

    public PackedLayers(Repositories repositories, Blobs blobs, CpuPool cpu) {
        this.repositories = repositories;
        this.blobs = blobs;
        this.cpu = cpu;
    }

    /// The result.
    ///
    /// @param warnings why nothing is listed although the layer is an archive
    record Listed(List<PackedFile> files, List<ContentChecks.Warning> warnings) {
        static final Listed NOTHING = new Listed(List.of(), List.of());

        Listed {
            files = List.copyOf(files);
            warnings = List.copyOf(warnings);
        }
    }

    Listed of(RepositoryName name, ManifestDocument document, List<Asset> assets) {
        if (document.layers().size() != 1 || assets.size() != 1) {
            return Listed.NOTHING;
        }
        var layer = document.layers().getFirst();
        if (!PackedFiles.isPacked(layer.mediaType(), layer.annotations())) {
            return Listed.NOTHING;
        }
        return repositories
                .find(name)
                .flatMap(repository -> blobs.find(repository, layer.digest()))
                .filter(blob -> blob.size() == layer.size())
                .map(blob -> listed(blob, assets.getFirst()))
                .orElse(Listed.NOTHING); // a missing blob is reported elsewhere
    }

    private Listed listed(BlobRecord blob, Asset asset) {
        if (blob.size() > MAX_BYTES) {
            return warning(asset, "has more than " + MAX_BYTES + " bytes");
        }
        try {
            return new Listed(files(blob), List.of());
        } catch (UnfitArchive e) {
            return warning(asset, Objects.requireNonNullElse(e.getMessage(), ""));
        } catch (IOException | ProblemException e) {
            LOG.warn("cannot list {}", blob.digest(), e);
            return warning(asset, "cannot be read now");
        }
    }

    private static Listed warning(Asset asset, String reason) {
        String detail = "the files in this archive are not listed, and it is pulled as one file: the archive " + reason;
        return new Listed(List.of(), List.of(new ContentChecks.Warning(asset.path(), "not-unpacked", detail)));
    }

    private List<PackedFile> files(BlobRecord blob) throws IOException {
        var content = blobs.open(blob);
        try (var files = new PackedFiles()) {
            var pieces = new Pieces(files, cpu);
            content.writeTo(pieces, 0, content.length());
            pieces.flush();
            return files.finish();
        }
    }

    private static final class Pieces extends OutputStream {
        private final OutputStream work;
        private final CpuPool cpu;
        private final byte[] piece = new byte[PIECE];
        private int filled;

        Pieces(OutputStream work, CpuPool cpu) {
            this.work = work;
            this.cpu = cpu;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            for (int taken = 0; taken < count; ) {
                int some = Math.min(count - taken, PIECE - filled);
                System.arraycopy(bytes, offset + taken, piece, filled, some);
                filled += some;
                taken += some;
                if (filled == PIECE) {
                    flush();
                }
            }
        }

        @Override
        public void flush() throws IOException {
            int count = filled;
            filled = 0;
            try {
                cpu.run(LIMIT, budget -> {
                    try {
                        work.write(piece, 0, count);
                        return Optional.empty();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
    }
}
