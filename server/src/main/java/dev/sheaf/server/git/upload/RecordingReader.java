package dev.sheaf.server.git.upload;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.server.git.repository.PackEntries;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.internal.storage.pack.CachedPack;
import org.eclipse.jgit.internal.storage.pack.ObjectReuseAsIs;
import org.eclipse.jgit.internal.storage.pack.ObjectToPack;
import org.eclipse.jgit.internal.storage.pack.PackOutputStream;
import org.eclipse.jgit.internal.storage.pack.PackWriter;
import org.eclipse.jgit.lib.AbbreviatedObjectId;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.BitmapIndex.BitmapBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.ProgressMonitor;

/// Reads a repository for JGit, within a budget, and records the objects of the pack in place of writing them: they are
/// sent later, outside the pool ([PackCopy]). Bound to its thread.
final class RecordingReader extends ObjectReader implements ObjectReuseAsIs {
    private final ObjectReader reader;
    private final List<PackEntries> packs;
    private final PackPlan.Recorder recorder;
    private final Budget budget;

    /// @param packs the packs of the repository. JGit would look for missing objects in files and folders, too
    RecordingReader(ObjectReader reader, List<PackEntries> packs, PackPlan.Recorder recorder, Budget budget) {
        this.reader = reader;
        this.packs = packs;
        this.recorder = recorder;
        this.budget = budget;
    }

    @Override
    public ObjectReader newReader() {
        return new RecordingReader(reader.newReader(), packs, recorder, budget);
    }

    @Override
    public Collection<ObjectId> resolve(AbbreviatedObjectId id) {
        return List.of();
    }

    @Override
    public Set<ObjectId> getShallowCommits() {
        return Set.of();
    }

    @Override
    public boolean has(AnyObjectId id) throws IOException {
        budget.check();
        return PackEntries.find(packs, id).isPresent();
    }

    @Override
    public ObjectLoader open(AnyObjectId id, int type) throws IOException {
        require(id, type);
        return reader.open(id, type);
    }

    private void require(AnyObjectId id, int type) throws IOException {
        if (!has(id)) {
            throw new MissingObjectException(id.copy(), type == OBJ_ANY ? "object" : Constants.typeString(type));
        }
    }

    @Override
    public long getObjectSize(AnyObjectId id, int type) throws IOException {
        require(id, type);
        return reader.getObjectSize(id, type);
    }

    @Override
    public boolean isNotLargerThan(AnyObjectId id, int type, long size) throws IOException {
        return getObjectSize(id, type) <= size;
    }

    @Override
    public void close() {
        reader.close();
    }

    @Override
    public ObjectToPack newObjectToPack(AnyObjectId id, int type) {
        budget.check();
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
        throw new UnsupportedOperationException("objects are recorded, not written");
    }

    @Override
    public void copyPackAsIs(PackOutputStream out, CachedPack pack) {
        throw new UnsupportedOperationException("objects are recorded, not written");
    }

    @Override
    public Collection<CachedPack> getCachedPacksAndUpdate(BitmapBuilder needBitmap) {
        return List.of();
    }
}
