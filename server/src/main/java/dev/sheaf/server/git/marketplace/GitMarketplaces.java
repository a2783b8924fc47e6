package dev.sheaf.server.git.marketplace;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Throttle;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.plugin.PluginManifest;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.bundle.BundleList;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.NamespaceChanges;
import dev.sheaf.server.bundle.PluginNames;
import dev.sheaf.server.bundle.PluginTexts;
import dev.sheaf.server.bundle.SkillDocuments;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.git.history.Histories;
import dev.sheaf.server.git.upload.SmallRepository;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.skill.ClaudePlugins;
import dev.sheaf.server.skill.PluginFiles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.jspecify.annotations.Nullable;

/// The marketplaces of namespaces: the latest version of each bundle that is a plugin and that the caller may read.
/// Thread-safe.
public final class GitMarketplaces {
    private static final int MAX_PLUGINS = 200;
    private static final int MAX_BUNDLES = 1_000;
    private static final int PAGE = 100;
    private static final long RETRY_SECONDS = 1;
    private static final String TAGS = "refs/tags/";

    private final BundleList list;
    private final Bundles bundles;
    private final Resolve resolve;
    private final ClaudePlugins plugins;
    private final SkillDocuments documents;
    private final Histories histories;
    private final NamespaceChanges changes;
    private final InvalidatedCache<Key, SmallRepository> known;

    /// What a marketplace depends on.
    ///
    /// @param base the address of the registry in its entries
    /// @param number the number of changes of the namespace
    private record Key(Namespace namespace, Rights rights, String base, long number) {}

    /// What decides which bundles a caller may read, see [Access]: callers with equal rights get the same
    /// marketplace.
    ///
    /// @param organization null for a caller without a credential
    private record Rights(@Nullable UUID organization, CredentialRestrictions restrictions, Grant grant) {
        static Rights of(Caller caller) {
            return switch (caller) {
                case Caller.Anonymous ignored -> new Rights(null, CredentialRestrictions.NONE, Grant.ALL);
                case Caller.Known some -> new Rights(some.organizationId(), some.restrictions(), some.grant());
            };
        }
    }

    public GitMarketplaces(
            Database database,
            BundleList list,
            Bundles bundles,
            Resolve resolve,
            ClaudePlugins plugins,
            SkillDocuments documents,
            Histories histories,
            NamespaceChanges changes) {
        this.list = list;
        this.bundles = bundles;
        this.resolve = resolve;
        this.plugins = plugins;
        this.documents = documents;
        this.histories = histories;
        this.known = new InvalidatedCache<>(
                database,
                "marketplaces",
                HeapShare.MARKETPLACES.bytes(),
                (key, found) -> HeapShare.ENTRY + HeapShare.ofText(key.toString()) + found.weight());
        this.changes = changes;
    }

    /// Returns the marketplace of a namespace.
    ///
    /// @param base the address of the registry
    /// @param time the time limit for commits that are not derived yet. Finished work is kept, and the next request
    /// continues it
    /// @throws ProblemException those of [BundleList#list]; service-unavailable if the time is over
    public SmallRepository of(Caller caller, Namespace namespace, String base, Duration time) {
        return known.get(key(caller, namespace, base), key -> Optional.of(made(caller, namespace, base, time)))
                .orElseThrow();
    }

    private Key key(Caller caller, Namespace namespace, String base) {
        return new Key(namespace, Rights.of(caller), base, changes.of(namespace));
    }

    /// Refuses a caller for whom the namespace does not exist.
    ///
    /// @throws ProblemException those of [BundleList#list]
    public void require(Caller caller, Namespace namespace) {
        list.list(caller, namespace, BundleList.Filter.ALL, null, PAGE);
    }

    private SmallRepository made(Caller caller, Namespace namespace, String base, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        var entries = new ArrayList<MarketplaceEntry>();
        var names = new HashSet<String>();
        var page = page(caller, namespace, null);
        for (int seen = 0; !page.isEmpty() && seen < MAX_BUNDLES; seen += PAGE) {
            for (var listed : page) {
                if (entries.size() < MAX_PLUGINS) {
                    entry(caller, listed.name(), base, names, end).ifPresent(entries::add);
                }
            }
            boolean more = page.size() == PAGE && entries.size() < MAX_PLUGINS;
            page = more ? page(caller, namespace, page.getLast().name().bundle().value()) : List.of();
        }
        return MarketplaceFiles.repository(namespace, entries);
    }

    private List<BundleSnapshot> page(Caller caller, Namespace namespace, @Nullable String after) {
        try {
            return list.list(caller, namespace, BundleList.Filter.ALL, after, PAGE);
        } catch (ProblemException e) {
            if (after != null && e.problem() instanceof Problem.Missing) {
                return List.of(); // the last page was full
            }
            throw e;
        }
    }

    /// Returns the entry of a bundle; empty if its latest version is no plugin for git, or the bundle was hidden or
    /// all of its versions yanked meanwhile.
    private Optional<MarketplaceEntry> entry(
            Caller caller, RepositoryName name, String base, Set<String> names, long end) {
        return ProblemException.ifThere(() -> bundles.read(caller, name))
                .flatMap(bundle -> resolve.find(bundle, new VersionSelector.Default())
                        .flatMap(version -> entry(bundle, version, base, names, end)));
    }

    private Optional<MarketplaceEntry> entry(
            BundleSnapshot bundle, BundleSnapshot.Resolved latest, String base, Set<String> names, long end) {
        var plugin = plugins.of(bundle, latest);
        if (plugin.isEmpty()) {
            return Optional.empty();
        }
        var row = latest.version();
        String ref = (PluginFiles.hasManifest(latest.assets()) ? "" : "plugin/") + row.version();
        var commit = Optional.ofNullable(histories.of(bundle, left(end)).refs().get(TAGS + ref))
                .map(Ref::getObjectId)
                .map(ObjectId::name);
        var manifest = documents.plugin(latest.assets()).map(PluginTexts.Entry::manifest);
        var name = PluginNames.of(bundles, bundle.name(), manifest.orElse(null))
                .filter(names::add)
                .or(() -> PluginManifest.nameOf(bundle.name().bundle().value()).filter(names::add));
        return commit.isEmpty() || name.isEmpty()
                ? Optional.empty()
                : Optional.of(new MarketplaceEntry(
                        name.get(),
                        bundle.bundle().profile().description(),
                        row.version().toString(),
                        plugin.get().described(),
                        plugin.get().skills(),
                        base + "/" + bundle.name() + ".git",
                        ref,
                        commit.get(),
                        row.publishedAt()));
    }

    private static Duration left(long end) {
        var left = Duration.ofNanos(end - System.nanoTime());
        if (left.isNegative()) {
            throw new Problem.Unavailable(
                            Throttle.TIME,
                            "the commits of these plugins are being made for the first time; try again to continue",
                            RETRY_SECONDS)
                    .raise();
        }
        return left;
    }
}
