package dev.sheaf.server.git.history;

import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.git.repository.BareRepository;
import dev.sheaf.server.heap.HeapShare;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;

/// A bundle as git sees it, at one state of the database: derived refs and commits. Contains no access rights;
/// access is checked for each request. Thread-safe.
public final class History {
    private static final int MAX_ANSWERS = 16;
    private static final int BYTES_OF_REF = 400;

    private final BundleSnapshot bundle;
    private final SortedMap<String, Ref> refs;
    private final Map<ObjectId, Long> manifests;
    private final Map<ObjectId, UUID> yanked;
    private final BareRepository repository;
    private final long objects;
    private final AtomicLong kept = new AtomicLong();
    private final Map<String, byte[]> answers = new ConcurrentHashMap<>();

    /// @param refs the refs by name
    /// @param manifests the manifest of each commit's version, in the order of publishing
    /// @param yanked the yanked versions by commit
    /// @param repository contains the objects, while it is in the cache
    /// @param objects the number of objects in the repository
    History(
            BundleSnapshot bundle,
            SortedMap<String, Ref> refs,
            Map<ObjectId, Long> manifests,
            Map<ObjectId, UUID> yanked,
            BareRepository repository,
            long objects) {
        this.bundle = bundle;
        this.refs = refs;
        this.manifests = manifests;
        this.yanked = yanked;
        this.repository = repository;
        this.objects = objects;
    }

    /// Returns whether the history belongs to this state of the bundle.
    boolean isOf(BundleSnapshot snapshot) {
        return bundle.number() == snapshot.number();
    }

    public BundleSnapshot bundle() {
        return bundle;
    }

    public SortedMap<String, Ref> refs() {
        return refs;
    }

    public long objects() {
        return objects;
    }

    public int commits() {
        return manifests.size();
    }

    /// Returns whether this is the commit of a version.
    public boolean isCommit(ObjectId id) {
        return manifests.containsKey(id);
    }

    /// Returns the repository with the objects. To be acquired before it is read.
    public BareRepository repository() {
        return repository;
    }

    /// Returns the manifest of the version for which a fetch is counted: the version of `main` if it is wanted,
    /// otherwise any wanted version. Empty if no wanted object is the commit of a version.
    public Optional<Long> counted(Collection<ObjectId> wanted) {
        var main = refs.get("refs/heads/main");
        return main != null && wanted.contains(main.getObjectId())
                ? Optional.ofNullable(manifests.get(main.getObjectId()))
                : wanted.stream().filter(manifests::containsKey).findFirst().map(manifests::get);
    }

    /// Returns the yanked versions among these commits, in the order of publishing: those after the last one that is
    /// not yanked. Earlier ones are no news to somebody who has or gets a later version.
    public List<UUID> yankedAtEnd(Collection<ObjectId> commits) {
        if (yanked.isEmpty()) {
            return List.of();
        }
        var last = new ArrayList<UUID>();
        for (var commit : manifests.keySet()) {
            if (commits.contains(commit)) {
                var version = yanked.get(commit);
                if (version == null) {
                    last.clear();
                } else {
                    last.add(version);
                }
            }
        }
        return last;
    }

    /// Returns a cached answer that depends only on the question and the refs; made on first use.
    public byte[] answer(String question, Supplier<byte[]> make) {
        byte[] known = answers.get(question);
        if (known != null) {
            return known;
        }
        byte[] made = make.get();
        if (answers.size() < MAX_ANSWERS && kept.addAndGet(made.length) <= answerBytes()) {
            answers.put(question, made);
        }
        return made;
    }

    /// Returns the approximate size in bytes.
    int weight() {
        return HeapShare.ENTRY + answerBytes() + BYTES_OF_REF * (refs.size() + 2 * manifests.size() + yanked.size());
    }

    /// Returns the limit of all cached answers together; the longest names all refs.
    private int answerBytes() {
        return 1_000 + BYTES_OF_REF * refs.size();
    }
}
