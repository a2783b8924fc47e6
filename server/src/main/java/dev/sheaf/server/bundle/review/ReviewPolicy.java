package dev.sheaf.server.bundle.review;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.input.WireTimestamps;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Role;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.wire.bundle.PolicyRecord;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a new version needs before readers get it.
///
/// @param approvals by how many people
/// @param by who may approve: roles, and people as `user:` and their id
/// @param excludesPublisher whether the person who pushed it may not
/// @param expires how long a push waits
/// @param auto the rules of which each approves a push without people
public record ReviewPolicy(
        int approvals, List<String> by, boolean excludesPublisher, Duration expires, List<AutoRule> auto) {
    private static final int MAX_APPROVALS = 10;
    private static final int MAX_BY = 50;
    private static final Duration DEFAULT_EXPIRY = Duration.ofDays(14);
    private static final Duration LONGEST = Duration.ofDays(90);
    private static final String PERSON = "user:";
    private static final String PUBLISHER = "publisher";
    private static final String NOBODY = "nobody";

    /// What a policy asks for that does not say more.
    public static final ReviewPolicy USUAL =
            new ReviewPolicy(1, List.of(Role.ADMIN.toString(), Role.OWNER.toString()), true, DEFAULT_EXPIRY);

    public ReviewPolicy {
        by = List.copyOf(by);
        auto = List.copyOf(auto);
    }

    /// Makes one without rules.
    public ReviewPolicy(int approvals, List<String> by, boolean excludesPublisher, Duration expires) {
        this(approvals, by, excludesPublisher, expires, List.of());
    }

    /// Reads the member `review` of a policy; null if no review is asked for.
    static @Nullable ReviewPolicy parse(RequestFields policy) {
        var fields = policy.object("review");
        if (fields == null) {
            return null;
        }
        fields.only(Set.of("approvals", "by", "notBy", "expires", "auto"));
        Long approvals = fields.count("approvals");
        if (approvals != null && (approvals < 1 || approvals > MAX_APPROVALS)) {
            fields.error("approvals", "range", "must be 1 to " + MAX_APPROVALS);
        }
        var by = fields.has("by")
                ? fields.parsedTexts("by", 1, MAX_BY, ReviewPolicy::reviewer).stream()
                        .distinct()
                        .sorted()
                        .toList()
                : USUAL.by();
        boolean excludes = fields.parsedOr("notBy", ReviewPolicy::excludes, true);
        var expires = fields.parsedOr("expires", ReviewPolicy::expiry, DEFAULT_EXPIRY);
        return new ReviewPolicy(
                approvals == null ? 1 : approvals.intValue(), by, excludes, expires, AutoRule.parse(fields));
    }

    /// Returns whether a request says which rules approve pushes.
    static boolean namesRules(RequestFields policy) {
        var fields = policy.object("review");
        return fields == null || fields.has("auto");
    }

    ReviewPolicy with(List<AutoRule> rules) {
        return new ReviewPolicy(approvals, by, excludesPublisher, expires, rules);
    }

    private static String reviewer(String text) {
        boolean isPerson = text.startsWith(PERSON) && isId(text.substring(PERSON.length()));
        if (!isPerson
                && Stream.of(Role.values()).noneMatch(role -> role.toString().equals(text))) {
            throw Problem.invalid(
                    "unknown",
                    Quoted.of(text) + " must be owner, admin, publisher, reader, or user: with the id of a person");
        }
        return text;
    }

    private static boolean isId(String text) {
        try {
            return UUID.fromString(text).toString().equals(text);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean excludes(String text) {
        if (!text.equals(PUBLISHER) && !text.equals(NOBODY)) {
            throw Problem.invalid("unknown", "must be publisher or nobody");
        }
        return text.equals(PUBLISHER);
    }

    private static Duration expiry(String text) {
        return WireTimestamps.duration(
                text,
                period -> period.compareTo(Duration.ofHours(1)) >= 0 && period.compareTo(LONGEST) <= 0,
                "range",
                "must be an ISO 8601 duration from PT1H to P90D, such as P14D");
    }

    /// Returns the same for a push that only scanners hold.
    public ReviewPolicy withoutPeople() {
        return new ReviewPolicy(0, by, excludesPublisher, expires);
    }

    /// Returns whether a person with this role may decide.
    boolean names(UUID person, Role role) {
        return by.contains(role.toString()) || by.contains(PERSON + person);
    }

    /// Returns whether this asks for less than another policy.
    ///
    /// @param other null if it asks for nothing
    boolean isLooserThan(@Nullable ReviewPolicy other) {
        return other != null
                && (approvals < other.approvals
                        || !other.by.containsAll(by)
                        || !AutoRule.areWithin(auto, other.auto)
                        || (other.excludesPublisher && !excludesPublisher));
    }

    /// Returns the policy that asks for all that both do.
    ReviewPolicy and(ReviewPolicy other) {
        return new ReviewPolicy(
                Math.max(approvals, other.approvals),
                by.stream().filter(other.by::contains).toList(),
                excludesPublisher || other.excludesPublisher,
                expires.compareTo(other.expires) <= 0 ? expires : other.expires,
                AutoRule.and(auto, other.auto));
    }

    public PolicyRecord.Review toWire() {
        return new PolicyRecord.Review(
                approvals,
                by,
                excludesPublisher ? PUBLISHER : NOBODY,
                WireTimestamps.text(expires),
                auto.isEmpty() ? null : auto.stream().map(AutoRule::toWire).toList());
    }
}
