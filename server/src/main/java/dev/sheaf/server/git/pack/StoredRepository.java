package dev.sheaf.server.git.pack;

import java.util.SortedMap;
import org.eclipse.jgit.attributes.AttributesNodeProvider;
import org.eclipse.jgit.lib.BaseRepositoryBuilder;
import org.eclipse.jgit.lib.ObjectDatabase;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.RefDatabase;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.StoredConfig;

/// A repository without a folder: its refs are in memory, and a reader provides its objects. It is read-only,
/// and it reads no files of this machine.
final class StoredRepository extends Repository {
    private static final class Nowhere extends BaseRepositoryBuilder<Nowhere, StoredRepository> {}

    /// The settings that JGit reads: the defaults, with filters allowed.
    private static final class Settings extends StoredConfig {
        Settings() {
            setBoolean("uploadpack", null, "allowfilter", true);
        }

        @Override
        public void load() {
            // there is no file
        }

        @Override
        public void save() {
            // there is no file
        }
    }

    private static final class Objects extends ObjectDatabase {
        private final StoredReader reader;

        Objects(StoredReader reader) {
            this.reader = reader;
        }

        @Override
        public ObjectInserter newInserter() {
            throw new UnsupportedOperationException("it is read only");
        }

        @Override
        public ObjectReader newReader() {
            return reader;
        }

        @Override
        public long getApproximateObjectCount() {
            return UNKNOWN;
        }

        @Override
        public void close() {
            // holds no resources
        }

        private static final long UNKNOWN = -1;
    }

    private final RefDatabase refs;
    private final ObjectDatabase objects;
    private final StoredConfig config = new Settings();

    StoredRepository(SortedMap<String, Ref> refs, StoredReader reader) {
        super(new Nowhere().setBare());
        this.refs = new StoredRefs(refs);
        this.objects = new Objects(reader);
    }

    @Override
    public ObjectDatabase getObjectDatabase() {
        return objects;
    }

    @Override
    public RefDatabase getRefDatabase() {
        return refs;
    }

    @Override
    public StoredConfig getConfig() {
        return config;
    }

    @Override
    public String getIdentifier() {
        return "stored";
    }

    @Override
    public void create(boolean bare) {
        throw new UnsupportedOperationException("it is read only");
    }

    @Override
    public AttributesNodeProvider createAttributesNodeProvider() {
        throw new UnsupportedOperationException("nothing is checked out");
    }

    @Override
    public void scanForRepoChanges() {
        // refs never change
    }

    @Override
    public void notifyIndexChanged(boolean internal) {
        // there is no index
    }
}
