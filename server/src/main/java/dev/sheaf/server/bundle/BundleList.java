package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.org.Namespaces;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Lists the bundles of a namespace that a caller may see. Thread-safe.
public final class BundleList {
    private static final int SMALLEST = 20; // rows to read at least, because some may be hidden
    private static final int LARGEST = 200;

    private static final int BYTES_OF_BUNDLE = 2_000; // without its description

    private final Database database;
    private final Namespaces namespaces;
    private final NamespaceChanges changes;
    private final InvalidatedCache<Rows, List<BundleSnapshot>> rows;

    public BundleList(Database database, Namespaces namespaces, NamespaceChanges changes) {
        this.database = database;
        this.namespaces = namespaces;
        this.changes = changes;
        this.rows = new InvalidatedCache<>(
                database, "bundle-lists", HeapShare.BUNDLE_LISTS.bytes(), (key, bundles) -> weight(bundles));
    }

    private static int weight(List<BundleSnapshot> bundles) {
        return HeapShare.ENTRY
                + bundles.stream()
                        .map(bundle -> bundle.bundle().profile().description())
                        .mapToInt(text -> BYTES_OF_BUNDLE + (text == null ? 0 : HeapShare.ofText(text)))
                        .sum();
    }

    /// Rows that are kept until a bundle of the namespace changes, for all callers. Programs look for updates
    /// of an index or a marketplace at each start.
    ///
    /// @param own whether private bundles are among them
    /// @param number the number of changes of the namespace
    private record Rows(Namespace namespace, boolean own, String after, int limit, long number) {}

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
        var asked = new Asked(caller, namespace, namespaces.isOwn(caller, namespace));
        var found = page(asked, filter, after == null ? "" : after, limit);
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
        return asked.own() || !page(asked, Filter.ALL, "", 1).isEmpty();
    }

    /// Returns a page. Restrictions of keys and the text cannot be checked in SQL, so rows are read until the page
    /// is full.
    private List<BundleSnapshot> page(Asked asked, Filter filter, String after, int limit) {
        var page = new ArrayList<BundleSnapshot>();
        int chunk = filter.text().isEmpty() ? Math.clamp(limit, SMALLEST, LARGEST) : LARGEST;
        String last = after;
        List<BundleSnapshot> found;
        do {
            found = rows(asked, last, chunk);
            found.stream()
                    .filter(bundle -> Access.mayRead(asked.caller(), bundle) && filter.matches(bundle))
                    .limit(limit - page.size())
                    .forEach(page::add);
            last = found.isEmpty() ? last : found.getLast().name().bundle().value();
        } while (found.size() == chunk && page.size() < limit);
        return page;
    }

    private List<BundleSnapshot> rows(Asked asked, String after, int limit) {
        var key = new Rows(asked.namespace(), asked.own(), after, limit, changes.of(asked.namespace()));
        return rows.get(key, missing -> {
                    List<BundleSnapshot> read =
                            database.read(tx -> BundleRows.list(tx, asked.namespace(), asked.own(), after, limit));
                    return read.isEmpty() ? Optional.empty() : Optional.of(List.copyOf(read));
                })
                .orElse(List.of());
    }
}
