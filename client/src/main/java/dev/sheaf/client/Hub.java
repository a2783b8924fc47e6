package dev.sheaf.client;

import dev.sheaf.client.http.ApiResource;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.wire.hub.HubBundle;
import java.util.List;
import java.util.Locale;
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

    /// A search. Null members do not restrict it.
    ///
    /// @param words a bundle must contain each of these words, or a word that begins with it; empty means all
    /// bundles
    /// @param type finds only bundles whose latest version contains an asset of this type
    /// @param most the maximum number of results, at least 1
    public record Search(
            String words,
            @Nullable AssetType type,
            @Nullable Namespace namespace,
            Sort sort,
            int most) {}

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
    public List<HubBundle> search(Search search) {
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
        return hub.list(query.toString(), HubBundle.class, search.most());
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
