package dev.sheaf.server.hub;

import dev.sheaf.model.RepositoryName;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Atom feeds (RFC 4287).
public final class AtomFeeds {
    /// Limit of entries in a feed.
    public static final int SIZE = 50;

    private AtomFeeds() {}

    /// The head of a feed.
    ///
    /// @param id never changes (RFC 4287, section 4.2.6)
    /// @param self the address of the feed
    /// @param page the address of the page that the feed is about
    /// @param since the time of an empty feed
    public record Head(String id, String title, String author, String self, String page, Instant since) {}

    /// An entry of a feed.
    ///
    /// @param id never changes (RFC 4287, section 4.2.6)
    /// @param page the address of its page
    /// @param json the address of the same as JSON; null if there is none
    /// @param category a word that programs filter by; null for none
    public record Entry(
            String id,
            String title,
            Instant updated,
            Instant published,
            String page,
            @Nullable String json,
            String summary,
            @Nullable String category) {}

    /// Returns the feed as a document in UTF-8.
    ///
    /// @param entries newest first
    public static byte[] atom(Head head, List<Entry> entries) {
        var updated =
                entries.stream().map(Entry::updated).max(Instant::compareTo).orElse(head.since());
        var feed = new XmlWriter("feed", "http://www.w3.org/2005/Atom")
                .leaf("id", head.id())
                .leaf("title", head.title())
                .leaf("updated", updated.toString())
                .start("author")
                .leaf("name", head.author())
                .end()
                .leaf("generator", "Sheaf")
                .start("link", "rel", "self", "type", "application/atom+xml", "href", head.self())
                .end()
                .start("link", "rel", "alternate", "type", "text/html", "href", head.page())
                .end();
        entries.forEach(entry -> write(feed, entry));
        return feed.bytes();
    }

    private static void write(XmlWriter feed, Entry entry) {
        feed.start("entry")
                .leaf("id", entry.id())
                .leaf("title", entry.title())
                .leaf("updated", entry.updated().toString())
                .leaf("published", entry.published().toString())
                .start("link", "rel", "alternate", "type", "text/html", "href", entry.page())
                .end();
        if (entry.json() != null) {
            feed.start("link", "rel", "related", "type", "application/json", "href", entry.json())
                    .end();
        }
        feed.leaf("summary", entry.summary());
        if (entry.category() != null) {
            feed.start("category", "term", entry.category(), "label", entry.category())
                    .end();
        }
        feed.end();
    }

    /// Returns the entry of a new version.
    ///
    /// @param site the address of the registry, without a trailing slash
    public static Entry release(Hub.Release release, String site) {
        RepositoryName ref = release.ref();
        String version = URLEncoder.encode(release.version(), StandardCharsets.UTF_8); // which may have a plus
        return new Entry(
                "urn:uuid:" + release.id(),
                ref + " " + release.version(),
                release.publishedAt(),
                release.publishedAt(),
                site + "/" + ref + "/versions/" + version,
                site + "/v1/hub/bundles/" + ref,
                summary(release),
                release.deprecated() == null ? null : "deprecated");
    }

    /// Returns what the publisher says is new; without a message, the name of the bundle.
    private static String summary(Hub.Release release) {
        String message = release.message();
        return message == null || message.isBlank() ? release.name() + " " + release.version() : message;
    }
}
