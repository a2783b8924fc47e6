package dev.sheaf.server.bundle.version;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Version;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.bundle.VersionRisk;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.VersionState;
import dev.sheaf.server.registry.referrer.SignatureRows;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Lists versions for people, highest first, with what was said about them and their pulls. Thread-safe.
public final class VersionListing {
    private final Database database;

    public VersionListing(Database database) {
        this.database = database;
    }

    /// A version of the list.
    ///
    /// @param message the publisher's message, or its beginning and an ellipsis
    /// @param pulls the pulls of the last 30 days
    /// @param isSigned whether the registry has a signature, which it does not verify
    public record Listed(
            VersionRow version, @Nullable String message, VersionRisk risk, long pulls, boolean isSigned) {}

    /// A part of the list.
    ///
    /// @param hasHigher whether there are versions above
    /// @param hasLower whether there are versions below
    public record Part(List<Listed> versions, boolean hasHigher, boolean hasLower) {
        public Part {
            versions = List.copyOf(versions);
        }
    }

    /// The part to list.
    ///
    /// @param state the states to list
    /// @param below only versions below this one; null from the highest on
    /// @param above only versions above this one, the nearest; null if `below` counts
    public record Wanted(
            VersionPrefix prefix,
            VersionState state,
            @Nullable Version below,
            @Nullable Version above) {}

    /// Returns a part of the list with at most `limit` versions.
    public Part of(BundleSnapshot bundle, Wanted wanted, int limit) {
        var id = bundle.bundle().id();
        var below = wanted.below();
        var above = wanted.above();
        var state = wanted.state();
        String from = wanted.prefix().from();
        String to = wanted.prefix().to();
        return database.read(tx -> {
            List<VersionRow> rows = above != null
                    ? VersionRows.above(tx, id, state, max(above.sortKey(), from), to, limit + 1)
                    : VersionRows.list(tx, id, state, from, below == null ? to : min(below.sortKey(), to), limit + 1);
            boolean isMore = rows.size() > limit;
            var some = !isMore ? rows : above != null ? rows.subList(1, limit + 1) : rows.subList(0, limit);
            var ids = some.stream().map(VersionRow::id).toList();
            var messages = VersionRows.messages(tx, ids);
            var risks = VersionRows.risks(tx, ids);
            var pulls = PullCounts.ofVersions(tx, ids);
            var signed = SignatureRows.signed(
                    tx,
                    bundle.repository().id(),
                    some.stream().map(VersionRow::digest).toList());
            var listed = some.stream()
                    .map(row -> new Listed(
                            row,
                            messages.get(row.id()),
                            Objects.requireNonNull(risks.get(row.id())),
                            pulls.getOrDefault(row.id(), 0L),
                            signed.contains(row.digest())))
                    .toList();
            return new Part(listed, above != null ? isMore : below != null, above != null || isMore);
        });
    }

    /// Returns the next version below whose content can be read; empty if there is none.
    public Optional<Version> before(BundleSnapshot bundle, Version version) {
        return database.read(tx -> VersionRows.readableBelow(tx, bundle.bundle().id(), version.sortKey()));
    }

    private static String min(String one, String other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static String max(String one, String other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
