package dev.sheaf.server.git.upload;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.errors.PackProtocolException;
import org.eclipse.jgit.lib.AbbreviatedObjectId;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectIdRef;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.SymbolicRef;
import org.eclipse.jgit.transport.PackParser;
import org.eclipse.jgit.transport.ServiceMayNotContinueException;

/// A repository in memory with a few small files and one commit without a parent, at `main`. Immutable.
public final class SmallRepository {
    private static final int BYTES_OF_OBJECT = 300;

    private final Map<ObjectId, Stored> objects;
    private final ObjectId commit;
    private final SortedMap<String, Ref> refs = new TreeMap<>();
    private final byte[] advertisement;

    private record Stored(int type, ObjectLoader loader) {}

    private SmallRepository(Map<ObjectId, Stored> objects, ObjectId commit) {
        this.objects = objects;
        this.commit = commit;
        var main = new ObjectIdRef.PeeledNonTag(Ref.Storage.PACKED, Constants.R_HEADS + "main", commit);
        refs.put(main.getName(), main);
        refs.put(Constants.HEAD, new SymbolicRef(Constants.HEAD, main));
        this.advertisement = UploadExchange.advertisement(
                UploadExchange.pack(new UploadExchange.View(new MapReader(objects)), refs, false));
    }

    /// Makes a repository. Equal arguments give the same commit.
    ///
    /// @param files the contents by path
    /// @param commit the text of the commit from its author on
    public static SmallRepository of(SortedMap<String, byte[]> files, String commit) {
        var inserter = new MapInserter();
        try {
            var index = DirCache.newInCore();
            var builder = index.builder();
            for (var file : files.entrySet()) {
                var entry = new DirCacheEntry(file.getKey());
                entry.setFileMode(FileMode.REGULAR_FILE);
                entry.setObjectId(inserter.insert(Constants.OBJ_BLOB, file.getValue()));
                builder.add(entry);
            }
            builder.finish();
            String text = "tree " + index.writeTree(inserter).name() + "\n" + commit;
            var id = inserter.insert(Constants.OBJ_COMMIT, text.getBytes(StandardCharsets.UTF_8));
            return new SmallRepository(inserter.objects, id);
        } catch (IOException e) {
            throw new IllegalStateException("memory can always be written", e);
        }
    }

    /// Returns the approximate size in bytes.
    public int weight() {
        return advertisement.length
                + objects.values().stream()
                        .mapToInt(stored ->
                                BYTES_OF_OBJECT + (int) stored.loader().getSize())
                        .sum();
    }

    /// Returns the refs and capabilities; for version 0.
    public byte[] advertisement() {
        return advertisement.clone();
    }

    /// Answers a request of any kind.
    ///
    /// @param isNew whether the client speaks version 2
    /// @throws ProblemException bad-request if the request is invalid
    public byte[] answer(byte[] request, boolean isNew, Budget budget) {
        var asked = RequestIds.read(request, commit::equals, budget);
        if (asked.isEmpty()) {
            return UploadExchange.refused(UploadExchange.ALIKE).bytes();
        }
        var out = new ByteArrayOutputStream();
        try (var pack = UploadExchange.pack(new UploadExchange.View(new MapReader(objects)), refs, isNew)) {
            pack.uploadWithExceptionPropagation(
                    new ByteArrayInputStream(asked.get().request()), out, null);
        } catch (MissingObjectException | PackProtocolException | ServiceMayNotContinueException e) {
            return UploadExchange.refused(String.valueOf(e.getMessage())).bytes();
        } catch (ProblemException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new Problem.BadRequest("the body is not a valid git request").raise();
        }
        return out.toByteArray();
    }

    /// Collects objects.
    private static final class MapInserter extends ObjectInserter {
        private final Map<ObjectId, Stored> objects = new HashMap<>();

        @Override
        public ObjectId insert(int type, long length, InputStream in) throws IOException {
            byte[] bytes = in.readAllBytes();
            var id = idFor(type, bytes);
            objects.put(id, new Stored(type, new ObjectLoader.SmallObject(type, bytes)));
            return id;
        }

        @Override
        public PackParser newPackParser(InputStream in) {
            throw new UnsupportedOperationException("nothing is pushed");
        }

        @Override
        public ObjectReader newReader() {
            return new MapReader(objects);
        }

        @Override
        public void flush() {
            // everything is stored
        }

        @Override
        public void close() {
            // holds nothing
        }
    }

    private static final class MapReader extends ObjectReader {
        private final Map<ObjectId, Stored> objects;

        MapReader(Map<ObjectId, Stored> objects) {
            this.objects = objects;
        }

        @Override
        public ObjectReader newReader() {
            return new MapReader(objects);
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
        public ObjectLoader open(AnyObjectId id, int type) throws MissingObjectException {
            var stored = objects.get(id.toObjectId());
            if (stored == null || type != OBJ_ANY && type != stored.type()) {
                throw new MissingObjectException(id.copy(), type == OBJ_ANY ? "object" : Constants.typeString(type));
            }
            return stored.loader();
        }

        @Override
        public void close() {
            // holds nothing
        }
    }
}
