package dev.sheaf.server.bundle.review;

import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// What scanners are asked about pushes.
public final class PushScanRows {
    private static final String SELECT = """
            SELECT id, review_id, round, scanner_id, scanner, url, passes, secret, state, token_hash, token_until, due_at,
                   ended_at
            FROM review_scan
            """;

    private PushScanRows() {}

    /// Notes that scanners are to be asked about a round of a push.
    public static void insert(Tx tx, Review review, List<Scanner> scanners) {
        scanners.forEach(scanner -> tx.change(
                """
                        INSERT INTO review_scan (id, review_id, round, scanner_id, scanner, url, passes, secret, state, due_at)
                        VALUES (:id, :review, :round, :scannerId, :name, :url, :passes, :secret, 'waiting', :due)
                        """,
                "id",
                TimeOrderedIds.next(tx.now()),
                "review",
                review.id(),
                "round",
                review.round(),
                "scannerId",
                scanner.id(),
                "name",
                scanner.name(),
                "url",
                scanner.url(),
                "passes",
                scanner.passes(),
                "secret",
                scanner.secret(),
                "due",
                tx.now().plus(PushScan.PATIENCE)));
    }

    public static Optional<PushScan> find(Tx tx, UUID id) {
        return tx.find(SELECT + " WHERE id = :id", PushScan.class, "id", id);
    }

    /// Returns what is asked about the present round of a push.
    public static List<PushScan> of(Tx tx, Review review) {
        return tx.list(
                SELECT + " WHERE review_id = :review AND round = :round ORDER BY scanner, id",
                PushScan.class,
                "review",
                review.id(),
                "round",
                review.round());
    }

    /// A question that no scanner got yet.
    public record Unasked(UUID id, UUID organizationId) {}

    public static List<Unasked> unasked(Tx tx, int limit) {
        return tx.list("""
                        SELECT s.id, n.organization_id FROM review_scan s JOIN review v ON v.id = s.review_id
                        JOIN repository r ON r.id = v.repository_id JOIN namespace n ON n.name = r.namespace
                        WHERE s.state = 'waiting' AND s.token_hash IS NULL ORDER BY s.due_at LIMIT :limit
                        """, Unasked.class, "limit", limit);
    }

    /// Notes the token with which a scanner is asked now. An earlier one no longer works.
    public static void asked(Tx tx, PushScan scan, String tokenHash, Instant until) {
        tx.change(
                "UPDATE review_scan SET token_hash = :hash, token_until = :until WHERE id = :id AND state = 'waiting'",
                "id",
                scan.id(),
                "hash",
                tokenHash,
                "until",
                until);
    }

    /// Notes the answer. Its token reads nothing more. Returns false if there is an answer already.
    public static boolean end(Tx tx, PushScan scan, PushScan.Verdict verdict) {
        return tx.change("""
                                UPDATE review_scan SET state = :state, ended_at = :now
                                WHERE id = :id AND state = 'waiting'
                                """, "id", scan.id(), "state", verdict.toString()) == 1;
    }
}
