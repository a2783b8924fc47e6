package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A push that waits for approval, or waited.
///
/// @param digest that of the manifest that was pushed
/// @param state `held`, `published`, `rejected`, `withdrawn` or `expired`
/// @param round counts the contents that were pushed under this number while it was held; the decisions of earlier
/// rounds no longer count
/// @param approvals how many people must approve it
/// @param by who may; as in [PolicyRecord.Review]
/// @param name the display name of the bundle that the approval would set; so do the next three, `visibility` only of
/// a bundle that the push makes
/// @param readmeContent null in lists, and if the push has none
/// @param pushedBy such as `key:` and an id
/// @param expiresAt when it ends if nobody decides
/// @param endedAt null while it is held
/// @param url its page in the console
/// @param findings those for which it waits, the worst first; empty in lists, and if the policy asks for nothing but
/// the approval of all versions
/// @param scans what scanners of others say of this round; empty in lists
/// @param warnings what an approval could not do; empty otherwise
/// @param requires other bundles that the version needs; null if there are none
/// @param ofPublished whether it is about a version that was published before, so that readers have it
/// whatever is decided
public record ReviewRecord(
        UUID id,
        String namespace,
        String bundle,
        String version,
        String digest,
        String state,
        int round,
        int approvals,
        List<String> by,
        String name,
        @Nullable String description,
        String visibility,
        @Nullable String readmeContent,
        @Nullable String message,
        List<String> tags,
        long sizeBytes,
        int files,
        String pushedBy,
        Instant pushedAt,
        Instant expiresAt,
        @Nullable Instant endedAt,
        List<Decision> decisions,
        String url,
        List<ScanFinding> findings,
        List<Scan> scans,
        List<String> warnings,
        @Nullable List<RequiredBundle> requires,
        boolean ofPublished) {
    public ReviewRecord {
        by = List.copyOf(by);
        tags = List.copyOf(tags);
        decisions = List.copyOf(decisions);
        findings = List.copyOf(findings);
        scans = List.copyOf(scans);
        warnings = List.copyOf(warnings);
    }

    /// What a scanner says.
    ///
    /// @param state `waiting`, `allow`, `review`, `block`, or `unanswered`
    /// @param at null while it has not answered
    public record Scan(
            String scanner, String state, @Nullable Instant at) {}

    /// What somebody decided.
    ///
    /// @param by `user:` and an id, or the rule
    /// @param name the person's name; null for a rule
    /// @param decision `approved`, `rejected`, `override` (an owner published it although approvals were
    /// missing), or `rule:` and a number (this automatic rule approved it)
    public record Decision(
            int round,
            String by,
            @Nullable String name,
            String decision,
            @Nullable String reason,
            Instant at) {}
}
