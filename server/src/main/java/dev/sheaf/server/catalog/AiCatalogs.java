package dev.sheaf.server.catalog;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.bundle.NamespaceChanges;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.http.entity.EntityTag;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.hub.Hub;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The AI Catalog: a root with the namespaces of public bundles, and a catalog for each. Both are split into parts of
/// 500 entries, so a reader is four documents deep at most. Documents are kept until a bundle of theirs changes.
/// Thread-safe.
public final class AiCatalogs {
    static final int PAGE = 500;

    private static final int MAX_NAMESPACES = 50_000;
    private static final int MAX_BUNDLES = 50_000; // of a namespace

    private final CatalogContent content;
    private final InvalidatedCache<Key, Json.Written> written;
    private final NamespaceChanges changes;

    public AiCatalogs(Database database, CatalogContent content, NamespaceChanges changes) {
        this.content = content;
        this.written = new InvalidatedCache<>(
                database,
                "catalogs",
                HeapShare.CATALOGS.bytes(),
                (key, json) -> HeapShare.ofArray(json.length()) + HeapShare.ENTRY);
        this.changes = changes;
    }

    /// @param namespace empty for the root
    /// @param from the first name of the part; empty for the whole
    /// @param number the number of changes, see [NamespaceChanges]
    private record Key(String namespace, String from, long number) {}

    private record Catalog(String specVersion, Host host, List<CatalogEntry> entries) {}

    private record Host(String displayName, String identifier, String documentationUrl) {}

    /// Returns the root, or a part of it.
    ///
    /// @param from the first namespace of the part; null for the root itself
    /// @param paying runs before a document is made
    public Json.Written root(CatalogNames names, @Nullable Namespace from, Runnable paying) {
        String first = from == null ? "" : from.value();
        return document(new Key("", first, changes.ofAll()), names, paying, () -> rootEntries(names, first));
    }

    private List<CatalogEntry> rootEntries(CatalogNames names, String from) {
        var all = content.hub().publishers(from, from.isEmpty() ? MAX_NAMESPACES : PAGE);
        var entries = new ArrayList<CatalogEntry>();
        if (from.isEmpty()) {
            entries.add(names.registry());
        }
        if (from.isEmpty() && all.size() >= PAGE) {
            for (int i = 0; i < all.size(); i += PAGE) {
                entries.add(names.page(all.get(i).name()));
            }
        } else {
            all.forEach(found -> entries.add(names.namespace(Namespace.parse(found.name()), found.displayName())));
        }
        return entries;
    }

    /// Returns the catalog of a namespace, or a part of it.
    ///
    /// @param from the first bundle of the part; null for the whole
    /// @param paying runs before a document is made
    /// @throws ProblemException not-found if the namespace has no public bundle
    public Json.Written namespace(CatalogNames names, Namespace name, @Nullable BundleName from, Runnable paying) {
        String first = from == null ? "" : from.value();
        var key = new Key(name.value(), first, changes.of(name));
        return document(key, names, paying, () -> entries(names, name, first));
    }

    private List<CatalogEntry> entries(CatalogNames names, Namespace name, String from) {
        var all = content.hub().extents(name, from, from.isEmpty() ? MAX_BUNDLES : PAGE);
        if (all.isEmpty()) {
            throw new Problem.NotFound("the catalog of namespace " + name + " (it has no public bundle)").raise();
        }
        var pages = pages(all);
        if (from.isEmpty() && pages.size() > 1) {
            return pages.stream()
                    .limit(PAGE)
                    .map(page -> names.page(name, page.getFirst().slug()))
                    .toList();
        }
        return pages.stream()
                .limit(1)
                .flatMap(List::stream)
                .flatMap(bundle -> content
                        .ofVersions(
                                names, new RepositoryName(name, BundleName.parseBundle(bundle.slug())), weight(bundle))
                        .stream())
                .toList();
    }

    /// Splits bundles into parts of at most 500 entries.
    static List<List<Hub.Extent>> pages(List<Hub.Extent> bundles) {
        var pages = new ArrayList<List<Hub.Extent>>();
        int weight = PAGE;
        for (var bundle : bundles) {
            weight += weight(bundle);
            if (weight > PAGE) {
                pages.add(new ArrayList<>());
                weight = weight(bundle);
            }
            pages.getLast().add(bundle);
        }
        return pages;
    }

    /// Returns how many entries a bundle may have: the plugin and each of its skills, for each version that is
    /// shown.
    private static int weight(Hub.Extent bundle) {
        long versions = Math.min(CatalogContent.MAX_VERSIONS, bundle.versions());
        return (int) Math.min(PAGE, versions * (1 + bundle.skills()));
    }

    /// Returns a document, made only if it is not kept.
    private Json.Written document(Key key, CatalogNames names, Runnable paying, Supplier<List<CatalogEntry>> entries) {
        return written.get(key, missing -> {
                    paying.run();
                    var host = new Host(names.host(), names.host(), names.base());
                    byte[] bytes = Json.write(new Catalog("1.0", host, entries.get()));
                    return Optional.of(new Json.Written(bytes, EntityTag.of(bytes)));
                })
                .orElseThrow();
    }
}
