package dev.sheaf.server.bundle.recall;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.AdvisoryRows;
import dev.sheaf.server.bundle.BundleList;
import dev.sheaf.server.org.Namespaces;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lists what was recalled in a namespace, for who may see it. Thread-safe.
public final class Advisories {
    private final Database database;
    private final Namespaces namespaces;
    private final BundleList bundles;

    public Advisories(Database database, Namespaces namespaces, BundleList bundles) {
        this.database = database;
        this.namespaces = namespaces;
        this.bundles = bundles;
    }

    /// Returns at most `limit` recalled versions, the newest recall first.
    ///
    /// @param after the last place of the page before; null for the first page
    /// @throws ProblemException those of [BundleList#list] if the caller can see no bundle of the namespace
    public List<AdvisoryRows.Recalled> list(
            Caller caller, Namespace namespace, AdvisoryRows.@Nullable After after, int limit) {
        bundles.list(caller, namespace, BundleList.Filter.ALL, null, 1);
        boolean all = namespaces.isOwn(caller, namespace);
        var page = new ArrayList<AdvisoryRows.Recalled>();
        var last = after;
        List<AdvisoryRows.Recalled> found;
        do { // restrictions of keys cannot be checked in SQL
            var from = last;
            found = database.read(tx -> AdvisoryRows.list(tx, namespace, all, from, limit));
            found.stream()
                    .filter(row -> Access.mayRead(caller, row))
                    .limit((long) limit - page.size())
                    .forEach(page::add);
            last = found.isEmpty() ? last : found.getLast().place();
        } while (found.size() == limit && page.size() < limit);
        return page;
    }
}
