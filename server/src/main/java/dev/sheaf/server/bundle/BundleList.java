package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.org.Namespaces;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Lists the bundles of a namespace that a caller may see. Thread-safe.
public final class BundleList {
    private static final int SMALLEST = 20; // rows to read at least, because some may be hidden
    private static final int LARGEST = 200;

    private final Database database;
    private final Namespaces namespaces;

    public BundleList(Database database, Namespaces namespaces) {
        this.database = database;
        this.namespaces = namespaces;
    }

    /// A filter of bundles.
    ///
    /// @param visibility null for all
    /// @param text must occur in the slug, name or description, ignoring case; empty for all
    public record Filter(@Nullable Visibility visibility, String text) {
        public static final Filter ALL = new Filter(null, "");

        private boolean matches(BundleSnapshot bundle) {
            return (visibility == null || visibility == bundle.visibility()) && (text.isEmpty() || contains(bundle));
        }

        private boolean contains(BundleSnapshot bundle) {
            var profile = bundle.bundle().profile();
            String all = bundle.name().bundle() + "\n" + profile.name() + "\n"
                    + Objects.requireNonNullElse(profile.description(), "");
            return all.toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT));
        }
    }

    /// Returns at most `limit` bundles after `after`, by slug, without their READMEs.
    ///
    /// @throws ProblemException unauthenticated for anonymous callers, not-found for others, if the namespace
    /// is not the caller's and contains nothing that the caller may see; missing and hidden namespaces get the
    /// same answer
    public List<BundleSnapshot> list(
            Caller caller, Namespace namespace, Filter filter, @Nullable String after, int limit) {
        boolean own = caller instanceof Caller.Known known
                && namespaces
                        .find(namespace)
                        .filter(record -> record.organizationId().equals(known.organizationId()))
                        .isPresent()
                && known.restrictions().permit(namespace);
        var asked = new Asked(caller, namespace, own);
        var found = database.read(tx -> page(tx, asked, filter, after == null ? "" : after, limit));
        if (found.isEmpty() && !mayKnow(asked)) {
            throw Access.hidden(caller, namespace).raise();
        }
        return found;
    }

    /// What a list says about the versions of a bundle.
    ///
    /// @param latest the latest version; null if there is none
    /// @param risk its risk; null if there is none
    /// @param hasVersions whether there is any version, even a yanked one
    public record VersionState(
            @Nullable String latest, @Nullable VersionRisk risk, boolean hasVersions) {}

    /// Returns the state of the versions of some bundles, by the bundle's id.
    public Map<UUID, VersionState> versions(List<BundleSnapshot> bundles) {
        var ids = bundles.stream().map(bundle -> bundle.bundle().id()).toList();
        return database.read(tx -> {
            var rows = VersionRows.latest(tx, ids);
            var risks = VersionRows.risks(
                    tx,
                    rows.stream()
                            .flatMap(row -> Stream.ofNullable(row.latestId()))
                            .toList());
            return rows.stream()
                    .collect(Collectors.toMap(
                            VersionRows.Latest::bundleId,
                            row -> new VersionState(row.latest(), risks.get(row.latestId()), row.hasVersions())));
        });
    }

    /// @param own whether the caller acts for the owner of the namespace. For other callers only public
    /// bundles are read, so that the response time does not reveal how many are hidden
    private record Asked(Caller caller, Namespace namespace, boolean own) {}

    private boolean mayKnow(Asked asked) {
        return asked.own()
                || !database.<List<BundleSnapshot>>read(tx -> page(tx, asked, Filter.ALL, "", 1))
                        .isEmpty();
    }

    /// Returns a page. Restrictions of keys and the text cannot be checked in SQL, so rows are read until the page
    /// is full.
    private static List<BundleSnapshot> page(Tx tx, Asked asked, Filter filter, String after, int limit) {
        var page = new ArrayList<BundleSnapshot>();
        int chunk = filter.text().isEmpty() ? Math.clamp(limit, SMALLEST, LARGEST) : LARGEST;
        String last = after;
        List<BundleSnapshot> rows;
        do {
            rows = BundleRows.list(tx, asked.namespace(), asked.own(), last, chunk);
            rows.stream()
                    .filter(bundle -> Access.mayRead(asked.caller(), bundle) && filter.matches(bundle))
                    .limit(limit - page.size())
                    .forEach(page::add);
            last = rows.isEmpty() ? last : rows.getLast().name().bundle().value();
        } while (rows.size() == chunk && page.size() < limit);
        return page;
    }
}
