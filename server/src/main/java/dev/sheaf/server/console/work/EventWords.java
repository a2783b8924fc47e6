package dev.sheaf.server.console.work;

import dev.sheaf.model.wire.org.EventRecord;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageFrame;
import dev.sheaf.server.event.EventWire;
import dev.sheaf.server.event.FeedRow;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Events in words: who did what. Thread-safe.
public final class EventWords {
    private final EventWire wire;

    public EventWords(EventWire wire) {
        this.wire = wire;
    }

    /// Something that happened.
    ///
    /// @param actor who did it; empty if that is the subject, or nobody
    /// @param kind what kind of actor it is; empty for a person
    /// @param verb what was done, before its subject
    /// @param rest words after the subject; empty if there are none
    /// @param why the reason or the message that was given; empty if there is none
    /// @param link the page of the subject; empty if it has none
    public record Happening(
            String icon,
            String tone,
            String actor,
            String kind,
            String verb,
            String subject,
            String rest,
            String why,
            String link,
            Instant at) {}

    /// Returns events in words, for members of their organization.
    public List<Happening> of(PageCall page, List<FeedRow> rows) {
        return of(rows, page.names(rows.stream().map(FeedRow::actor)));
    }

    /// @param names those of the actors
    public List<Happening> of(List<FeedRow> rows, PageFrame.Names names) {
        return rows.stream().map(row -> happening(row, names)).toList();
    }

    private Happening happening(FeedRow row, PageFrame.Names names) {
        var event = wire.show(row, EventWire.View.MEMBER);
        String type = row.type();
        String group = type.substring(0, type.indexOf('.'));
        String actor = actor(row, names);
        boolean isOwn = type.equals("member.joined")
                || type.startsWith("member.") && ("user:" + EventWire.text(event, "userId")).equals(row.actor());
        var words = isOwn ? ownWords(type) : words(type, row.actor() == null);
        return new Happening(
                icon(group, type),
                tone(type),
                words.isWithActor() ? actor : "",
                words.isWithActor() ? names.kind(row.actor()) : "",
                words.verb(),
                subject(event),
                words.rest(),
                why(event),
                link(row, event),
                row.createdAt());
    }

    private static String why(EventRecord event) {
        return Stream.of("reason", "message")
                .map(member -> PageFormat.visible(EventWire.text(event, member)))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static String actor(FeedRow row, PageFrame.Names names) {
        if (row.actor() == null) {
            return "The registry";
        }
        String name = names.find(row.actor());
        String recorded = row.actorName();
        return !name.isEmpty() ? name : recorded == null ? names.of(row.actor()) : PageFormat.visible(recorded);
    }

    /// Returns the subject by its name: an id says nothing to people.
    public static String subject(EventRecord event) {
        String name = Stream.of("name", "host", "provider", "email")
                .map(member -> EventWire.text(event, member))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse(event.subject());
        return PageFormat.visible(name);
    }

    /// Returns the page of the review, version or tag, or else that of the bundle.
    private static String link(FeedRow row, EventRecord event) {
        String bundle = row.bundle();
        int slash = bundle == null ? -1 : bundle.indexOf('/');
        if (bundle == null || slash < 0 || row.type().equals("bundle.deleted")) {
            return "";
        }
        String home = ApiPath.of("/{}/{}", bundle.substring(0, slash), bundle.substring(slash + 1))
                .toString();
        String version = EventWire.text(event, "version");
        String review = EventWire.text(event, "reviewId");
        String tag = EventWire.text(event, "tag");
        if (!review.isEmpty()) {
            return home + ApiPath.of("/reviews/{}", review);
        }
        if (!version.isEmpty() && !row.type().equals("version.deleted")) {
            return home + ApiPath.of("/versions/{}", version);
        }
        return tag.isEmpty() ? home : home + ApiPath.of("/tags/{}", tag);
    }

    private static String icon(String group, String type) {
        return switch (group) {
            case "version", "bundle", "manifest", "blob" ->
                type.endsWith(".deleted")
                        ? "trash"
                        : type.endsWith("yanked") ? "yank" : type.endsWith(".recalled") ? "stop" : "bundle";
            case "tag" -> "tag";
            case "api_key", "access_token", "key_policy" -> "key";
            case "webhook" -> "link";
            case "trusted_publisher" -> "shield";
            case "namespace", "organization", "transfer" -> "org";
            default -> "person";
        };
    }

    private static String tone(String type) {
        return switch (type.replace('.', ' ')) {
            case "bundle deleted",
                    "version deleted",
                    "version yanked",
                    "version recalled",
                    "api_key leaked",
                    "access_token leaked",
                    "manifest damaged",
                    "blob damaged",
                    "webhook disabled" -> "bad";
            case "api_key expiring", "api_key expired" -> "warn";
            default -> "";
        };
    }

    /// The words of an event around its subject.
    ///
    /// @param isWithActor whether they begin with who did it
    private record Words(boolean isWithActor, String verb, String rest) {}

    /// Returns the words for what a member did as to their own membership.
    private static Words ownWords(String type) {
        return new Words(
                false,
                "",
                switch (type.replace('.', ' ')) {
                    case "member joined" -> "joined";
                    case "member removed" -> "left";
                    default -> "has another role now";
                });
    }

    /// @param isNobody whether no person and no key did it, but the registry by itself
    private static Words words(String type, boolean isNobody) {
        return switch (type.replace('.', ' ')) {
            case "bundle listed" -> new Words(true, "listed", "for everybody");
            case "bundle withdrawn" -> new Words(true, "took", "off the public list");
            case "manifest damaged", "blob damaged" -> new Words(false, "Damage was found in", "");
            case "manifest healed", "blob healed" -> new Words(false, "", "is whole again");
            case "api_key expiring" -> new Words(false, "The key", "ends soon");
            case "api_key expired" -> new Words(false, "The key", "ended");
            case "webhook disabled" ->
                isNobody ? new Words(false, "The webhook to", "was disabled: it failed too often") : of(type);
            default -> of(type);
        };
    }

    private static Words of(String type) {
        return new Words(true, verb(type), "");
    }

    private static String verb(String type) {
        return switch (type.replace('.', ' ')) {
            case "version published" -> "published";
            case "version deleted", "bundle deleted" -> "deleted";
            case "version yanked" -> "yanked";
            case "version recalled" -> "recalled";
            case "version scanned" -> "found worse than was known in";
            case "version held" -> "pushed, for review,";
            case "version approved" -> "approved";
            case "version rejected" -> "rejected";
            case "version withdrawn" -> "withdrew";
            case "version expired" -> "let expire";
            case "version expiring" -> "is about to let expire";
            case "dependency affected" -> "changed what is needed by";
            case "policy changed" -> "changed the review policy of";
            case "version unrecalled" -> "ended the recall of";
            case "version unyanked" -> "took back the yank of";
            case "version deprecated", "bundle deprecated" -> "deprecated";
            case "version undeprecated", "bundle undeprecated" -> "took back the deprecation of";
            case "bundle created" -> "created the bundle";
            case "bundle updated" -> "changed the bundle";
            case "bundle restored" -> "restored";
            case "tag moved" -> "moved the tag";
            case "tag deleted" -> "deleted the tag";
            case "tag unpinned" -> "unpinned the tag";
            case "manifest deleted" -> "deleted the manifest";
            case "namespace claimed" -> "claimed the namespace";
            case "organization created" -> "created the organization";
            case "organization updated" -> "renamed the organization to";
            case "invitation created" -> "invited";
            case "member changed" -> "changed the role of";
            case "member removed" -> "removed the member";
            case "transfer offered" -> "offered the namespace";
            case "transfer accepted" -> "took over the namespace";
            case "transfer declined" -> "declined the namespace";
            case "transfer cancelled" -> "cancelled the offer of the namespace";
            case "api_key created" -> "created the key";
            case "api_key revoked" -> "revoked the key";
            case "api_key updated" -> "changed the key";
            case "api_key rotated" -> "rotated the key";
            case "api_key leaked" -> "revoked the leaked key";
            case "access_token leaked" -> "revoked the leaked token";
            case "key_policy changed" -> "changed the policy of the keys of";
            case "trusted_publisher created" -> "added a trusted publisher of";
            case "trusted_publisher deleted" -> "removed the trusted publisher";
            case "webhook created" -> "added the webhook to";
            case "webhook updated" -> "changed the webhook to";
            case "webhook deleted" -> "deleted the webhook to";
            case "webhook disabled" -> "disabled the webhook to";
            default -> type + ":";
        };
    }
}
