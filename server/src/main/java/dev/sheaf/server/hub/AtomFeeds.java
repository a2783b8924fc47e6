package dev.sheaf.server.hub;

import dev.sheaf.model.RepositoryName;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/// Atom feeds (RFC 4287) of the newest versions.
public final class AtomFeeds {
    /// Limit of versions in a feed.
    public static final int SIZE = 50;

    private AtomFeeds() {}

    /// The head of a feed.
    ///
    /// @param id never changes (RFC 4287, section 4.2.6)
    /// @param self the address of the feed
    /// @param page the address of the page that the feed is about
    /// @param since the time of an empty feed
    public record Head(String id, String title, String author, String self, String page, Instant since) {}

    /// Returns the feed as a document in UTF-8.
    ///
    /// @param releases newest first
    /// @param site the address of the registry, without a trailing slash
    public static byte[] atom(Head head, List<Hub.Release> releases, String site) {
        var updated = releases.stream()
                .map(Hub.Release::publishedAt)
                .max(Instant::compareTo)
                .orElse(head.since());
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
        releases.forEach(release -> entry(feed, release, site));
        return feed.bytes();
    }

    /// Returns what the publisher says is new; without a message, the name of the bundle.
    private static String summary(Hub.Release release) {
        String message = release.message();
        return message == null || message.isBlank() ? release.name() + " " + release.version() : message;
    }

    private static void entry(XmlWriter feed, Hub.Release release, String site) {
        RepositoryName ref = release.ref();
        String version = URLEncoder.encode(release.version(), StandardCharsets.UTF_8); // which may have a plus
        feed.start("entry")
                .leaf("id", "urn:uuid:" + release.id())
                .leaf("title", ref + " " + release.version())
                .leaf("updated", release.publishedAt().toString())
                .leaf("published", release.publishedAt().toString())
                .start(
                        "link",
                        "rel",
                        "alternate",
                        "type",
                        "text/html",
                        "href",
                        site + "/" + ref + "/versions/" + version)
                .end()
                .start("link", "rel", "related", "type", "application/json", "href", site + "/v1/hub/bundles/" + ref)
                .end()
                .leaf("summary", summary(release));
        if (release.deprecated() != null) {
            feed.start("category", "term", "deprecated", "label", "deprecated").end();
        }
        feed.end();
    }
}
