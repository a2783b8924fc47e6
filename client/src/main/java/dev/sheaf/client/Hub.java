package dev.sheaf.client;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.ApiResource;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.wire.hub.HubBundle;
import dev.sheaf.model.wire.hub.HubPage;
import dev.sheaf.model.wire.hub.HubSkill;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The public bundles of a registry (contract 3.8). Needs no key. Thread-safe.
public final class Hub {
    /// The order of results, always descending.
    public enum Sort {
        /// Bundles with all words in their names first.
        RELEVANCE,
        /// Bundles with the newest versions first.
        RECENT,
        DOWNLOADS,
        STARS,
        /// Bundles with the most downloads first; the weight of a download halves every week.
        TRENDING;

        /// Returns the name on the wire.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// What a search may require of the latest version of a bundle.
    public enum Flag {
        /// It has a signature; the registry does not verify it.
        SIGNED,
        /// The registry read it as a whole, and found nothing.
        CLEAN,
        /// A workflow published it.
        WORKFLOW;

        /// Returns the name on the wire.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Whether a bundle has something that runs, as the passport of its latest version says: scripts, programs, hooks
    /// or servers.
    public enum Scripts {
        SOME,
        NONE;

        /// Returns the name on the wire.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// A search. Null members do not restrict it.
    ///
    /// @param words a bundle must contain each of these words, or a word that begins with it; empty means all
    /// bundles
    /// @param type finds only bundles whose latest version contains an asset of this type
    /// @param license the license as the bundle states it, such as `MIT`; `none` finds bundles without one
    /// @param tool a tool that a skill of the bundle asks for, such as `Bash`; `none` finds skills without one
    /// @param scripts whether the latest version must have something that runs
    /// @param flags what must be true of the latest version
    /// @param most the maximum number of results, at least 1
    public record Search(
            String words,
            @Nullable AssetType type,
            @Nullable Namespace namespace,
            @Nullable String license,
            @Nullable String tool,
            @Nullable Scripts scripts,
            Set<Flag> flags,
            Sort sort,
            int most) {
        public Search {
            flags = Set.copyOf(flags);
        }

        /// A search without the other filters.
        public Search(String words, @Nullable AssetType type, @Nullable Namespace namespace, Sort sort, int most) {
            this(words, type, namespace, null, null, null, Set.of(), sort, most);
        }

        private boolean isNewer() {
            return license != null || tool != null || scripts != null || !flags.isEmpty();
        }
    }

    /// What a search finds.
    ///
    /// @param skills skills that match, in those of the bundles that have several; empty for a search
    /// without words
    /// @param total the number of bundles that match; null if the registry is older and does not say it
    /// @param isTotalExact false if there may be more
    /// @param suggestion the search with misspelled words replaced, if it finds nothing and the replaced
    /// one does
    public record Found(
            List<HubBundle> bundles,
            List<HubSkill> skills,
            @Nullable Long total,
            boolean isTotalExact,
            @Nullable String suggestion) {
        public Found {
            bundles = List.copyOf(bundles);
            skills = List.copyOf(skills);
        }
    }

    private static final int LARGEST = 100; // page

    private final ApiResource hub;

    Hub(RegistryTransport transport) {
        this.hub = new ApiResource(transport, "/v1/hub");
    }

    /// Returns the events of public bundles.
    public Events events() {
        return new Events(hub.transport(), hub.path() + "/events");
    }

    /// Returns the first matches in the given order. If the hub changes meanwhile, a bundle may be missing or
    /// appear twice.
    ///
    /// @throws SheafException.Server if the registry is too old for a filter of the search
    public List<HubBundle> search(Search search) {
        return search.isNewer() ? find(search).bundles() : hub.list(query(search), HubBundle.class, search.most());
    }

    /// Returns the same with the number of all matches and the skills that match.
    ///
    /// @throws SheafException.Server those of [#search]
    public Found find(Search search) {
        var bundles = new ArrayList<HubBundle>();
        var skills = new ArrayList<HubSkill>();
        String path = query(search) + "&skills=true&limit=" + Math.min(search.most(), LARGEST);
        var first = hub.get(path + "&facets=true", HubPage.class);
        if (first.total() == null && search.isNewer()) {
            throw new SheafException.Server("this registry is too old: it filters by type and publisher alone");
        }
        var page = first;
        while (true) {
            bundles.addAll(page.data());
            skills.addAll(page.skills() == null ? List.of() : page.skills());
            String next = page.meta().nextCursor();
            if (next == null || page.data().isEmpty() || bundles.size() >= search.most()) {
                break;
            }
            page = hub.get(path + "&cursor=" + HttpCall.encode(next), HubPage.class);
        }
        var shown = bundles.subList(0, Math.min(search.most(), bundles.size()));
        return new Found(shown, skills, first.total(), !Boolean.FALSE.equals(first.isTotalExact()), first.suggestion());
    }

    private static String query(Search search) {
        var query = new StringBuilder("/bundles?sort=" + search.sort());
        if (!search.words().isBlank()) {
            query.append("&q=").append(HttpCall.encode(search.words()));
        }
        if (search.type() != null) {
            query.append("&asset_type=").append(search.type());
        }
        if (search.namespace() != null) {
            query.append("&namespace=").append(search.namespace());
        }
        if (search.license() != null) {
            query.append("&license=").append(HttpCall.encode(search.license()));
        }
        if (search.tool() != null) {
            query.append("&tool=").append(HttpCall.encode(search.tool()));
        }
        if (search.scripts() != null) {
            query.append("&scripts=").append(search.scripts());
        }
        search.flags().stream()
                .sorted()
                .forEach(flag -> query.append('&').append(flag).append("=true"));
        return query.toString();
    }

    /// Returns the names of bundles whose names contain this text, best first: `acme/kit`.
    ///
    /// @param most the maximum number of results, at least 1
    public List<String> names(String text, int most) {
        return search(new Search(text, null, null, Sort.RELEVANCE, most)).stream()
                .map(bundle -> bundle.publisher().handle() + "/" + bundle.slug())
                .toList();
    }
}
