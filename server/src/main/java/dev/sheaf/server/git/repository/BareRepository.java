package dev.sheaf.server.git.repository;

import dev.sheaf.engine.blob.PrivateFiles;
import dev.sheaf.engine.cpu.Budget;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.zip.Deflater;
import org.eclipse.jgit.internal.storage.file.ObjectDirectory;
import org.eclipse.jgit.internal.storage.file.Pack;
import org.eclipse.jgit.internal.storage.file.PackInserter;
import org.eclipse.jgit.internal.storage.pack.PackWriter;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.NullProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.storage.pack.PackConfig;
import org.eclipse.jgit.util.FS;
import org.jspecify.annotations.Nullable;

/// A bare repository on this node's disk: what git gets of the versions of a bundle. It contains exactly the objects
/// of its versions, so everybody who may read the bundle may have any of them. Packs are added and never changed. Its
/// readers may be on many threads; one thread at a time adds versions.
public final class BareRepository {
    private static final String PACKS = "objects/pack";
    private static final Config DEFAULTS = new Config();

    private final UUID bundle;
    private final Path folder;
    private @Nullable ObjectDirectory objects;
    private SoftReference<List<PackEntries>> entries = new SoftReference<>(null);
    private volatile long bytes;

    // guarded by the cache
    long reserved;
    int users;
    long used;

    /// @param bytes the size of its packs
    /// @param used when it was last used, in milliseconds
    BareRepository(UUID bundle, Path folder, long bytes, long used) {
        this.bundle = bundle;
        this.folder = folder;
        this.bytes = bytes;
        this.used = used;
    }

    UUID bundle() {
        return bundle;
    }

    Path folder() {
        return folder;
    }

    long bytes() {
        return bytes;
    }

    /// Returns the state; empty if the files are not those of a state, so that the repository cannot be used.
    /// Packs that the state does not name are deleted: their process was killed.
    public Optional<RepositoryState> state() throws IOException {
        var packs = packs(folder);
        var state = packs.isEmpty() && Files.notExists(folder.resolve(RepositoryState.FILE))
                ? Optional.of(RepositoryState.EMPTY)
                : RepositoryState.read(folder);
        if (state.isEmpty() || packs.equals(state.get().packs())) {
            return state;
        }
        boolean hasMore = objects == null
                && packs.entrySet().containsAll(state.get().packs().entrySet());
        return hasMore ? Optional.of(cleared(state.get())) : Optional.empty();
    }

    private RepositoryState cleared(RepositoryState state) throws IOException {
        try (var files = Files.newDirectoryStream(folder.resolve(PACKS))) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (!state.packs().containsKey(name.replaceFirst("\\.[a-z]+$", ".pack"))) {
                    Files.delete(file);
                }
            }
        }
        return state;
    }

    /// Returns the packs in a folder with their sizes.
    static Map<String, Long> packs(Path folder) throws IOException {
        var packs = new TreeMap<String, Long>();
        try (var files = Files.newDirectoryStream(folder.resolve(PACKS), "*.pack")) {
            for (Path file : files) {
                packs.put(file.getFileName().toString(), Files.size(file));
            }
        }
        return packs;
    }

    static void create(Path folder) throws IOException {
        PrivateFiles.folder(folder.resolve(PACKS));
    }

    private synchronized ObjectDirectory objects() throws IOException {
        if (objects == null) {
            JGitSettings.use(folder);
            objects = new ObjectDirectory(
                    DEFAULTS,
                    folder.resolve("objects").toFile(),
                    null,
                    FS.DETECTED,
                    folder.resolve("shallow").toFile());
        }
        return objects;
    }

    synchronized void close() {
        if (objects != null) {
            objects.close();
        }
    }

    public ObjectReader reader() throws IOException {
        return objects().newReader();
    }

    /// Returns an inserter, whose objects are in a new pack after its flush and part of the repository after [#record].
    public PackInserter inserter() throws IOException {
        var inserter = objects().newPackInserter();
        inserter.setCompressionLevel(Deflater.BEST_SPEED);
        return inserter;
    }

    /// Makes new packs part of the repository.
    public void record(List<RepositoryState.Entry> versions, RepositoryState.@Nullable Unfinished unfinished)
            throws IOException {
        var packs = packs(folder);
        new RepositoryState(packs, versions, unfinished).write(folder);
        bytes = packs.values().stream().mapToLong(Long::longValue).sum();
    }

    /// Returns the number of objects.
    public long count() throws IOException {
        long count = 0;
        for (var pack : objects().getPacks()) {
            count += pack.getIndex().getObjectCount();
        }
        return count;
    }

    public int packs() throws IOException {
        return objects().getPacks().size();
    }

    /// Returns whether all packs can still be read. JGit drops a pack in which it met a damaged object.
    public boolean isWhole() {
        try {
            return packs() == packs(folder).size();
        } catch (IOException e) {
            return false;
        }
    }

    /// Copies what is reachable from some commits into an empty repository, as one pack.
    ///
    /// @throws IOException if an object is damaged
    void copyTo(BareRepository other, Set<ObjectId> tips, Budget budget) throws IOException {
        var config = new PackConfig();
        config.setDeltaCompress(false);
        config.setReuseDeltas(false);
        config.setThreads(1);
        config.setIndexVersion(2);
        config.setCompressionLevel(Deflater.BEST_SPEED);
        try (var writer = new PackWriter(config, reader())) {
            budget.check();
            writer.preparePack(NullProgressMonitor.INSTANCE, tips, Set.of());
            Path pack = other.folder
                    .resolve(PACKS)
                    .resolve("pack-" + writer.computeName().name() + ".pack");
            try (var out = new Checked(pack, budget)) {
                writer.writePack(NullProgressMonitor.INSTANCE, NullProgressMonitor.INSTANCE, out);
            }
            Path index = pack.resolveSibling(pack.getFileName().toString().replace(".pack", ".idx"));
            try (var out = new Checked(index, budget)) {
                writer.writeIndex(out);
            }
        }
    }

    private static final class Checked extends BufferedOutputStream {
        private static final int BUFFER = 64 << 10;
        private final Budget budget;

        Checked(Path file, Budget budget) throws IOException {
            super(
                    Channels.newOutputStream(
                            PrivateFiles.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)),
                    BUFFER);
            this.budget = budget;
        }

        @Override
        public synchronized void write(byte[] bytes, int offset, int count) throws IOException {
            budget.check();
            super.write(bytes, offset, count);
        }
    }

    /// Returns where the objects of its packs are.
    public synchronized List<PackEntries> entries() throws IOException {
        var packs = objects().getPacks();
        var known = entries.get();
        if (known == null || known.size() != packs.size()) {
            var found = new ArrayList<PackEntries>();
            for (Pack pack : packs) {
                found.add(PackEntries.of(pack));
            }
            known = List.copyOf(found);
            entries = new SoftReference<>(known);
        }
        return known;
    }
}
