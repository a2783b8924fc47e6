package dev.sheaf.client;

import dev.sheaf.client.http.Call;
import dev.sheaf.client.http.Resource;
import dev.sheaf.client.http.Transport;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.wire.hub.HubBundle;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The public bundles of a registry (contract 3.8); needs no key. Thread-safe.
public final class Hub {
    /// In which order; each is descending.
    public enum Sort {
        /// Those with all words in their names first.
        RELEVANCE,
        /// By the time of the newest version.
        RECENT,
        DOWNLOADS,
        STARS,
        /// By downloads, each of which counts half as much after a week.
        TRENDING;

        /// The word on the wire.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// What to search for. Members that are null do not narrow the search.
    ///
    /// @param words every one must be there, or one that begins with it; empty means all bundles
    /// @param type only bundles whose latest version has such an asset
    /// @param most how many at most, from 1 on
    public record Search(
            String words,
            @Nullable AssetType type,
            @Nullable Namespace namespace,
            Sort sort,
            int most) {}

    private final Resource hub;

    Hub(Transport transport) {
        this.hub = new Resource(transport, "/v1/hub");
    }

    /// What happens to public bundles.
    public Events events() {
        return new Events(hub.transport(), hub.path() + "/events");
    }

    /// The best matches in the order asked for. Changes of the hub in between may let one be missing or come twice.
    public List<HubBundle> search(Search search) {
        var query = new StringBuilder("/bundles?sort=" + search.sort());
        if (!search.words().isBlank()) {
            query.append("&q=").append(Call.encode(search.words()));
        }
        if (search.type() != null) {
            query.append("&asset_type=").append(search.type());
        }
        if (search.namespace() != null) {
            query.append("&namespace=").append(search.namespace());
        }
        return hub.list(query.toString(), HubBundle.class, search.most());
    }

    /// The names of those that have this text in what they are called, best first: `acme/kit`.
    ///
    /// @param most how many at most, from 1 on
    public List<String> names(String text, int most) {
        return search(new Search(text, null, null, Sort.RELEVANCE, most)).stream()
                .map(bundle -> bundle.publisher().handle() + "/" + bundle.slug())
                .toList();
    }
}
