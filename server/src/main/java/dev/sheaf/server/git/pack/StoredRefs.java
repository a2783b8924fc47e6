package dev.sheaf.server.git.pack;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.RefDatabase;
import org.eclipse.jgit.lib.RefRename;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.lib.ReflogReader;
import org.jspecify.annotations.Nullable;

/// A fixed set of refs.
final class StoredRefs extends RefDatabase {
    private final SortedMap<String, Ref> refs;

    StoredRefs(SortedMap<String, Ref> refs) {
        this.refs = refs;
    }

    @Override
    public @Nullable Ref exactRef(String name) {
        return refs.get(name);
    }

    @Override
    @SuppressWarnings("deprecation") // JGit's other methods call it
    public Map<String, Ref> getRefs(String prefix) {
        if (prefix.isEmpty()) {
            return refs;
        }
        var found = new LinkedHashMap<String, Ref>();
        refs.tailMap(prefix).entrySet().stream()
                .takeWhile(entry -> entry.getKey().startsWith(prefix))
                .forEach(entry -> found.put(entry.getKey().substring(prefix.length()), entry.getValue()));
        return found;
    }

    @Override
    public List<Ref> getAdditionalRefs() {
        return List.of();
    }

    @Override
    public Ref peel(Ref ref) {
        return ref;
    }

    @Override
    public boolean isNameConflicting(String name) {
        return false;
    }

    @Override
    public RefUpdate newUpdate(String name, boolean detach) {
        throw new UnsupportedOperationException("it is read only");
    }

    @Override
    public RefRename newRename(String fromName, String toName) {
        throw new UnsupportedOperationException("it is read only");
    }

    @Override
    public ReflogReader getReflogReader(Ref ref) {
        throw new UnsupportedOperationException("earlier targets of names are not recorded");
    }

    @Override
    public void create() {
        throw new UnsupportedOperationException("it is read only");
    }

    @Override
    public void close() {
        // holds no resources
    }
}
