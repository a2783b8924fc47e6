package dev.sheaf.server.git.pack;

import dev.sheaf.server.git.history.GitObject;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.internal.storage.pack.CachedPack;
import org.eclipse.jgit.internal.storage.pack.ObjectReuseAsIs;
import org.eclipse.jgit.internal.storage.pack.ObjectToPack;
import org.eclipse.jgit.internal.storage.pack.PackOutputStream;
import org.eclipse.jgit.internal.storage.pack.PackWriter;
import org.eclipse.jgit.lib.AbbreviatedObjectId;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.AsyncObjectLoaderQueue;
import org.eclipse.jgit.lib.BitmapIndex.BitmapBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.ObjectStream;
import org.eclipse.jgit.lib.ProgressMonitor;
import org.jspecify.annotations.Nullable;

/// Provides the objects of a repository to JGit while it decides which of them a client lacks. The content that
/// JGit would write into a pack is recorded instead ([PackPlan.Recorder]); the bytes are sent later, outside
/// the pool. Bound to its thread.
final class StoredReader extends ObjectReader implements ObjectReuseAsIs {
    private static final int TOGETHER = 500;

    private final StoredObjects objects;
    private final PackPlan.Recorder recorder;

    StoredReader(StoredObjects objects, PackPlan.Recorder recorder) {
        this.objects = objects;
        this.recorder = recorder;
    }

    @Override
    public ObjectReader newReader() {
        return this;
    }

    @Override
    public Collection<ObjectId> resolve(AbbreviatedObjectId id) {
        return List.of();
    }

    @Override
    public Set<ObjectId> getShallowCommits() {
        return Set.of();
    }

    /// Called for objects that the client says it has. Only commits matter there, and these are in memory.
    @Override
    public boolean has(AnyObjectId id) {
        return objects.commit(id).isPresent();
    }

    @Override
    public boolean has(AnyObjectId id, int type) {
        return has(id);
    }

    @Override
    public ObjectLoader open(AnyObjectId id, int type) throws IOException {
        objects.check();
        var found = type == Constants.OBJ_COMMIT ? objects.commit(id) : objects.find(id);
        if (found.isEmpty()) {
            throw new MissingObjectException(id.copy(), type == OBJ_ANY ? "object" : Constants.typeString(type));
        }
        var object = found.get();
        if (type != OBJ_ANY && object.kind().number() != type) {
            throw new IncorrectObjectTypeException(id.copy(), type);
        }
        return loader(object);
    }

    private static ObjectLoader loader(GitObject object) {
        return object.kind() == GitObject.Kind.BLOB
                ? new Unread(object)
                : new ObjectLoader.SmallObject(object.kind().number(), object.bytes());
    }

    /// A blob, whose bytes JGit does not need.
    private static final class Unread extends ObjectLoader {
        private final GitObject blob;

        Unread(GitObject blob) {
            this.blob = blob;
        }

        @Override
        public int getType() {
            return blob.kind().number();
        }

        @Override
        public long getSize() {
            return blob.size();
        }

        @Override
        public boolean isLarge() {
            return true;
        }

        @Override
        public byte[] getCachedBytes() {
            throw new UnsupportedOperationException("blobs are not read here");
        }

        @Override
        public ObjectStream openStream() {
            throw new UnsupportedOperationException("blobs are not read here");
        }
    }

    @Override
    public long getObjectSize(AnyObjectId id, int type) throws IOException {
        objects.check();
        return objects.find(id)
                .orElseThrow(() -> new MissingObjectException(id.copy(), "object"))
                .size();
    }

    @Override
    public boolean isNotLargerThan(AnyObjectId id, int type, long size) throws IOException {
        return getObjectSize(id, type) <= size;
    }

    /// Opens objects. Objects that a client says it has may be unknown here, so they are looked up only among
    /// the commits; wanted ones are looked up in batches.
    @Override
    public <T extends ObjectId> AsyncObjectLoaderQueue<T> open(Iterable<T> ids, boolean wanted) {
        return new Queue<>(ids.iterator(), wanted);
    }

    private final class Queue<T extends ObjectId> implements AsyncObjectLoaderQueue<T> {
        private final Iterator<T> ids;
        private final boolean wanted;
        private final ArrayDeque<T> ready = new ArrayDeque<>();
        private @Nullable T current;

        Queue(Iterator<T> ids, boolean wanted) {
            this.ids = ids;
            this.wanted = wanted;
        }

        @Override
        public boolean next() {
            if (ready.isEmpty()) {
                while (ids.hasNext() && ready.size() < TOGETHER) {
                    ready.add(ids.next());
                }
                if (wanted && ready.size() > 1) {
                    objects.look(ready.stream()
                            .filter(id -> objects.commit(id).isEmpty())
                            .map(AnyObjectId::name)
                            .toList());
                }
            }
            current = ready.poll();
            return current != null;
        }

        @Override
        public T getCurrent() {
            if (current == null) {
                throw new IllegalStateException("there is no next one");
            }
            return current;
        }

        @Override
        public ObjectId getObjectId() {
            return getCurrent();
        }

        @Override
        public ObjectLoader open() throws IOException {
            return StoredReader.this.open(getCurrent(), wanted ? OBJ_ANY : Constants.OBJ_COMMIT);
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return true;
        }

        @Override
        public void release() {
            // holds no resources
        }
    }

    // --- packing ---

    @Override
    public ObjectToPack newObjectToPack(AnyObjectId id, int type) {
        objects.check();
        recorder.count();
        return new ObjectToPack(id, type);
    }

    @Override
    public void selectObjectRepresentation(PackWriter packer, ProgressMonitor monitor, Iterable<ObjectToPack> wanted) {
        // each object has only one representation
    }

    @Override
    public void writeObjects(PackOutputStream out, List<ObjectToPack> list) {
        recorder.add(list);
    }

    @Override
    public void copyObjectAsIs(PackOutputStream out, ObjectToPack object, boolean validate) {
        throw new UnsupportedOperationException("objects are noted, not written");
    }

    @Override
    public void copyPackAsIs(PackOutputStream out, CachedPack pack) {
        throw new UnsupportedOperationException("there are no packs");
    }

    @Override
    public Collection<CachedPack> getCachedPacksAndUpdate(BitmapBuilder needBitmap) {
        return List.of();
    }

    @Override
    public void close() {
        // holds no resources
    }
}
