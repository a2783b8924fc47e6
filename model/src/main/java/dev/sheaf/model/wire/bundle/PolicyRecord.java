package dev.sheaf.model.wire.bundle;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What new versions of a bundle, or of all bundles of a namespace, need before readers get them.
///
/// @param review null if they need no approval
/// @param scan null if findings change nothing
/// @param requires `approved` if they may require only approved versions; null if any
/// @param pending a looser policy that does not apply yet; null if there is none
public record PolicyRecord(
        @Nullable Review review,
        @Nullable Scan scan,
        @Nullable String requires,
        @Nullable Pending pending) {
    /// Returns the same with the addresses of scanners cut behind the host: the rest may be a secret, and only admins
    /// need it.
    public PolicyRecord withScannerHosts() {
        return new PolicyRecord(
                review,
                scan == null ? null : scan.withHosts(),
                requires,
                pending == null
                        ? null
                        : new Pending(
                                pending.review(),
                                pending.scan() == null ? null : pending.scan().withHosts(),
                                pending.requires(),
                                pending.effectiveAt(),
                                pending.requestedBy()));
    }

    /// @param approvals by how many people
    /// @param by who may approve: `owner`, `admin`, `publisher`, `reader`, or `user:` and the id of a person
    /// @param notBy `publisher` if nobody approves what they pushed; `nobody` if everybody may
    /// @param expires how long a push waits, such as `P14D`
    /// @param auto the rules of which each approves a push without people; null for none, but in a request
    /// null keeps those of before
    public record Review(
            int approvals,
            List<String> by,
            String notBy,
            String expires,
            @Nullable List<Auto> auto) {
        public Review {
            by = List.copyOf(by);
            auto = auto == null ? null : List.copyOf(auto);
        }

        /// Makes one that keeps the rules of before, if it is sent.
        public Review(int approvals, List<String> by, String notBy, String expires) {
            this(approvals, by, notBy, expires, null);
        }
    }

    /// A rule that approves a push without people. All its members must hold.
    ///
    /// @param publisher who must have pushed it: `user:`, `key:` or `publisher:` and an id; null for
    /// anybody
    /// @param paths patterns such as `docs/**`, of which each changed path must have one; empty or null for
    /// any path
    /// @param alsoPaths the same again, only in effective policies: where both policies have patterns, both
    /// must hold
    /// @param noNewCapabilities whether it may be able to do nothing new; null for true
    /// @param maxFinding the worst severity of its findings; null for `low`
    public record Auto(
            @Nullable String publisher,
            @Nullable List<String> paths,
            @Nullable List<String> alsoPaths,
            @Nullable Boolean noNewCapabilities,
            @Nullable String maxFinding) {
        public Auto {
            paths = paths == null ? null : List.copyOf(paths);
            alsoPaths = alsoPaths == null ? null : List.copyOf(alsoPaths);
        }
    }

    /// @param block the least severity with which a push is refused: `info`, `low`, `medium` or `high`; null if none is
    /// @param review the least severity with which a push needs approval; null if no finding does that
    /// @param scanners the programs of others that are asked about each push
    public record Scan(@Nullable String block, @Nullable String review, List<Scanner> scanners) {
        public Scan {
            scanners = List.copyOf(scanners);
        }

        private Scan withHosts() {
            return new Scan(
                    block, review, scanners.stream().map(Scanner::withHost).toList());
        }

        /// Makes one that asks no scanners. In a request it takes away those of before.
        public Scan(@Nullable String block, @Nullable String review) {
            this(block, review, List.of());
        }
    }

    /// A program of somebody else.
    ///
    /// @param onFailure `hold` if people decide when it does not answer; `pass` if the push passes then
    /// @param secret what signs the questions; only in the answer to the request that names the scanner first
    public record Scanner(
            String name,
            String url,
            @Nullable String onFailure,
            @Nullable String secret) {
        private Scanner withHost() {
            var whole = URI.create(url);
            String port = whole.getPort() < 0 ? "" : ":" + whole.getPort();
            return new Scanner(name, whole.getScheme() + "://" + whole.getHost() + port + "/", onFailure, secret);
        }
    }

    /// @param review null if no approval will be needed
    /// @param scan null if findings will change nothing
    /// @param requires null if versions may require any
    /// @param requestedBy who asked for it, who cannot confirm it
    public record Pending(
            @Nullable Review review,
            @Nullable Scan scan,
            @Nullable String requires,
            @Nullable Instant effectiveAt,
            @Nullable String requestedBy) {}
}
