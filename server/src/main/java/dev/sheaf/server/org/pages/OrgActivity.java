package dev.sheaf.server.org.pages;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.work.EventWords;
import dev.sheaf.server.event.EventFeed;
import dev.sheaf.server.event.EventFeeds;
import dev.sheaf.server.event.EventFilter;
import dev.sheaf.server.event.FeedRow;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// What happened in an organization lately, in words, from its newest events.
public final class OrgActivity {
    private static final int READ = 200; // events
    private static final int SHOWN = 8;
    private static final int BUNDLES = 10;

    /// What people do. Jobs have pages of their own.
    private static final String TYPES = "bundle.*,version.*,tag.*,manifest.*,namespace.*,organization.*,invitation.*,"
            + "member.*,transfer.*,api_key.*,key_policy.*,trusted_publisher.*,webhook.*,access_token.*,blob.*";

    private final EventFeeds feeds;
    private final EventWords words;

    public OrgActivity(EventFeeds feeds, EventWords words) {
        this.feeds = feeds;
        this.words = words;
    }

    /// The newest events.
    ///
    /// @param happenings the newest ones
    /// @param bundles the bundles that changed last
    record Recent(List<EventWords.Happening> happenings, Set<RepositoryName> bundles) {}

    /// Reads the newest events that the viewer may see.
    Recent read(PageCall page) {
        var feed = new EventFeed(page.caller().organizationId());
        var filter = EventFilter.read(List.of(TYPES), null, EventFilter.Reader.of(page.caller()));
        var rows = feeds.newest(feed, filter, feeds.place(feed, EventFeeds.LATEST), READ)
                .events();
        return new Recent(words.of(page, rows.stream().limit(SHOWN).toList()), bundles(rows));
    }

    private static Set<RepositoryName> bundles(List<FeedRow> rows) {
        var names = new LinkedHashSet<RepositoryName>();
        rows.stream()
                .flatMap(row -> Stream.ofNullable(row.bundle()))
                .distinct()
                .flatMap(name -> name(name).stream())
                .limit(BUNDLES)
                .forEach(names::add);
        return names;
    }

    private static Optional<RepositoryName> name(String text) {
        try {
            return Optional.of(RepositoryName.parseAny(text));
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }
}
