package dev.sheaf.server.git.history;

import dev.sheaf.server.bundle.Snapshot;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.jspecify.annotations.Nullable;

/// What git is told of a bundle as it was at some commit of the database: names and what they point to. All
/// of it has been derived. Carries no rights: who may see it is asked at each request. Thread-safe.
public final class History {
    private static final int MAX_ANSWERS = 16;
    private static final int BYTES_OF_REF = 400;
    private static final int MOST_ANSWER_BYTES = 4 << 20;

    private final Snapshot bundle;
    private final SortedMap<String, Ref> refs;
    private final Map<ObjectId, Long> manifests;
    private final long objects;
    private volatile @Nullable Map<ObjectId, GitObject> commitObjects;
    private final Map<String, byte[]> answers = new ConcurrentHashMap<>();

    /// @param refs by name
    /// @param manifests the manifest of the version that each commit is
    /// @param objects how many the repository has
    History(Snapshot bundle, SortedMap<String, Ref> refs, Map<ObjectId, Long> manifests, long objects) {
        this.bundle = bundle;
        this.refs = refs;
        this.manifests = manifests;
        this.objects = objects;
    }

    /// Whether it is of this state of the bundle.
    boolean isOf(Snapshot snapshot) {
        return bundle.number() == snapshot.number();
    }

    public Snapshot bundle() {
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

    /// The commits of the repository, looked up the first time: each fetch walks over most of them.
    public Map<ObjectId, GitObject> commitObjects(Supplier<List<GitObject>> lookUp) {
        var known = commitObjects;
        if (known == null) {
            known = new HashMap<>();
            for (var commit : lookUp.get()) {
                known.put(commit.id(), commit);
            }
            commitObjects = known;
        }
        return known;
    }

    /// The manifest of the version that a fetch of these is counted as: what `main` is where it is among
    /// them, else any of them; empty where none is a version's commit.
    public Optional<Long> counted(Collection<ObjectId> wanted) {
        var main = refs.get("refs/heads/main");
        return main != null && wanted.contains(main.getObjectId())
                ? Optional.ofNullable(manifests.get(main.getObjectId()))
                : wanted.stream().filter(manifests::containsKey).findFirst().map(manifests::get);
    }

    /// An answer that depends on nothing but the question and these names; made the first time.
    public byte[] answer(String question, Supplier<byte[]> make) {
        byte[] known = answers.get(question);
        if (known != null) {
            return known;
        }
        byte[] made = make.get();
        if (answers.size() < MAX_ANSWERS && made.length <= MOST_ANSWER_BYTES / MAX_ANSWERS + BYTES_OF_REF) {
            answers.put(question, made);
        }
        return made;
    }

    /// What it takes of memory, about, in bytes.
    int weight() {
        return 1_000 + BYTES_OF_REF * (refs.size() + 2 * manifests.size());
    }
}
