package dev.sheaf.server.git.repository;

import dev.sheaf.engine.blob.DiskRoom;
import dev.sheaf.engine.blob.DraftId;
import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Throttle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The bare repositories on this node's disk, within a limit: those that nobody used for longest go first,
/// and none goes while it is used. Each has a folder named by the id of its bundle, and all of them can be
/// derived again. A node has its data directory for itself, so no other process changes them. Thread-safe.
public final class RepositoryCache {
    private static final Logger LOG = LoggerFactory.getLogger(RepositoryCache.class);
    private static final long RETRY_SECONDS = 30;
    private static final long TOUCH_MILLIS = 60_000;

    private final Path folder;
    private final DiskRoom room;
    private final long most;
    private final Map<UUID, BareRepository> current = new HashMap<>();
    private final Set<BareRepository> all = new HashSet<>(); // those that are replaced but still used, too
    private boolean loaded;

    /// @param folder an existing folder that only this process uses
    /// @param most the limit of all repositories in bytes
    public RepositoryCache(Path folder, DiskRoom room, long most) {
        this.folder = folder;
        this.room = room;
        this.most = most;
    }

    /// Returns the repository of a bundle, empty if it is new. To be released.
    public synchronized BareRepository open(UUID bundle) {
        load();
        var repository = current.computeIfAbsent(bundle, this::created);
        acquire(repository);
        return repository;
    }

    private BareRepository created(UUID bundle) {
        Path place = folder.resolve(bundle + "." + DraftId.randomPart());
        try {
            BareRepository.create(place);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var repository = new BareRepository(bundle, place, 0, System.currentTimeMillis());
        all.add(repository);
        return repository;
    }

    /// Marks a repository as used, so that it stays until it is released. Returns false if it is no longer there.
    public synchronized boolean acquire(BareRepository repository) {
        if (current.get(repository.bundle()) != repository) {
            return false;
        }
        repository.users++;
        long now = System.currentTimeMillis();
        if (now - repository.used > TOUCH_MILLIS) {
            try {
                Files.setLastModifiedTime(repository.folder().resolve(RepositoryState.FILE), FileTime.fromMillis(now));
            } catch (IOException e) {
                LOG.debug("a new repository has no such file yet", e);
            }
        }
        repository.used = now;
        return true;
    }

    public synchronized void release(BareRepository repository) {
        repository.users--;
        if (repository.users == 0) {
            repository.reserved = 0;
        }
        deleteWhereGone(repository);
    }

    /// Removes a repository that must not be used again.
    public synchronized void discard(BareRepository repository) {
        current.remove(repository.bundle(), repository);
        deleteWhereGone(repository);
    }

    private void deleteWhereGone(BareRepository repository) {
        if (repository.users == 0 && current.get(repository.bundle()) != repository && all.remove(repository)) {
            repository.close();
            delete(repository.folder());
        }
    }

    /// Replaces a used repository by one with only its first versions, as a single pack. Releases the first; the second
    /// is to be released.
    public BareRepository rewritten(BareRepository old, RepositoryState state, int count, Budget budget) {
        var fresh = create(old);
        boolean done = false;
        try {
            var tips = state.tips(count);
            if (!tips.isEmpty()) {
                reserve(fresh, old.bytes());
                old.copyTo(fresh, tips, budget);
            }
            fresh.record(state.versions().subList(0, count), null);
            done = true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (!done) {
                release(fresh);
            }
        }
        synchronized (this) {
            current.put(fresh.bundle(), fresh);
            release(old);
        }
        return fresh;
    }

    private synchronized BareRepository create(BareRepository old) {
        var fresh = created(old.bundle());
        fresh.users++;
        return fresh;
    }

    /// Makes room for bytes that will be added to a used repository.
    ///
    /// @throws dev.sheaf.model.ProblemException payload-too-large if the repository alone would exceed the limit;
    /// service-unavailable if others are in use; storage-full
    public synchronized void reserve(BareRepository repository, long more) {
        if (repository.bytes() + more > most) {
            throw new Problem.PayloadTooLarge(
                            "the history of this bundle for git (git-cache-bytes; pull versions with sheaf)",
                            most,
                            "bytes")
                    .raise();
        }
        repository.reserved = more;
        while (total() > most) {
            var idle = current.values().stream()
                    .filter(other -> other.users == 0)
                    .min(Comparator.comparingLong(other -> other.used));
            if (idle.isEmpty()) {
                throw new Problem.Unavailable(
                                Throttle.SIZE,
                                "the disk cache for git (git-cache-bytes) is full of histories in use; try again",
                                RETRY_SECONDS)
                        .raise();
            }
            discard(idle.get());
        }
        room.check(more);
    }

    private long total() {
        return all.stream()
                .mapToLong(repository -> repository.bytes() + repository.reserved)
                .sum();
    }

    /// Returns the bundles that have a repository here.
    public synchronized List<UUID> bundles() {
        load();
        return List.copyOf(current.keySet());
    }

    /// Finds what an earlier process left. A folder without a state was not finished, or was being deleted.
    private void load() {
        if (loaded) {
            return;
        }
        loaded = true;
        var left = new ArrayList<Path>();
        try (var folders = Files.newDirectoryStream(folder)) {
            folders.forEach(left::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (Path place : left) {
            try {
                String name = place.getFileName().toString();
                var bundle = UUID.fromString(name.substring(0, Math.max(0, name.indexOf('.'))));
                long used = Files.getLastModifiedTime(place.resolve(RepositoryState.FILE))
                        .toMillis();
                long bytes = BareRepository.packs(place).values().stream()
                        .mapToLong(Long::longValue)
                        .sum();
                var repository = new BareRepository(bundle, place, bytes, used);
                var other = current.get(bundle); // two: the process was killed while it replaced one by the other
                if (other == null || other.used < used) {
                    current.put(bundle, repository);
                    all.add(repository);
                    if (other != null) {
                        deleteWhereGone(other);
                    }
                } else {
                    delete(place);
                }
            } catch (IOException | IllegalArgumentException e) {
                delete(place);
            }
        }
    }

    /// Deletes the state first, so that a repository of which only a part is deleted is not taken for a whole one.
    private static void delete(Path place) {
        try {
            Files.deleteIfExists(place.resolve(RepositoryState.FILE));
            if (Files.exists(place)) {
                try (var files = Files.walk(place)) {
                    for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(file);
                    }
                }
            }
        } catch (IOException e) {
            LOG.warn("cannot delete {}; the next start deletes it", place, e);
        }
    }
}
