package dev.sheaf.server.scan;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.net.OutgoingClient;
import dev.sheaf.engine.work.WorkClaim;
import dev.sheaf.engine.work.Worker;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.bundle.ScanFinding;
import dev.sheaf.server.bundle.decision.ReviewDecisions;
import dev.sheaf.server.bundle.review.PushScan;
import dev.sheaf.server.bundle.review.PushScanRows;
import dev.sheaf.server.bundle.review.Review;
import dev.sheaf.server.bundle.review.ReviewRows;
import dev.sheaf.server.bundle.review.ScannerSecrets;
import dev.sheaf.server.webhook.WebhookSigner;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks scanners about pushes that wait, each as a piece of the service's own work. A scanner that does not answer is
/// asked again until its time is over. Thread-safe.
public final class ScannerCalls implements Worker.Job {
    private static final Logger LOG = LoggerFactory.getLogger(ScannerCalls.class);
    /// An answer may take as long as a small scan; a longer one answers 202.
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static final Duration PAUSE = Duration.ofSeconds(20);
    /// The limit of an answer in bytes.
    public static final int MOST = 1 << 20;

    private final Database database;
    private final ReviewDecisions decisions;
    private final ScannerSecrets secrets;
    private final WebhookSigner signer;
    private final OutgoingClient client;
    private final ScannerAnswers answers;
    private final ScanAnswer.Parser parser;
    private final QuestionWriter writer;

    /// Writes a question as JSON.
    public interface QuestionWriter {
        byte[] write(PushScan scan, Review review, String token, Instant expiresAt);
    }

    public ScannerCalls(
            Database database,
            ReviewDecisions decisions,
            ScannerSecrets secrets,
            WebhookSigner signer,
            OutgoingClient client,
            ScannerAnswers answers,
            ScanAnswer.Parser parser,
            QuestionWriter writer) {
        this.database = database;
        this.decisions = decisions;
        this.secrets = secrets;
        this.signer = signer;
        this.client = client;
        this.answers = answers;
        this.parser = parser;
        this.writer = writer;
    }

    @Override
    public @Nullable Instant run(WorkClaim claim) {
        var id = UUID.fromString(claim.name());
        var scan = database.read(tx -> PushScanRows.find(tx, id))
                .filter(PushScan::isWaiting)
                .orElse(null);
        var review = scan == null
                ? null
                : database.read(tx -> ReviewRows.find(tx, scan.reviewId()))
                        .filter(found -> found.isHeld() && found.round() == scan.round())
                        .orElse(null);
        if (scan == null || review == null) {
            return null;
        }
        try {
            if (!scan.dueAt().isAfter(database.now())) {
                giveUp(scan);
                return null;
            }
            var next = ask(claim, scan, review);
            return next.isAfter(scan.dueAt()) ? scan.dueAt() : next;
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Conflict) { // somebody was faster
                return null;
            }
            throw e;
        }
    }

    private void giveUp(PushScan scan) {
        var silent = new ScanFinding(
                "no-answer",
                null,
                null,
                null,
                "The scanner did not answer in time",
                "Look at the push yourself.",
                scan.scanner());
        decisions.scanned(scan, PushScan.Verdict.UNANSWERED, List.of(silent), bytes -> {});
    }

    /// @return when to look again
    private Instant ask(WorkClaim claim, PushScan scan, Review review) {
        var token = secrets.token();
        var now = database.now();
        var until = now.plus(PushScan.TOKEN_LIFE);
        boolean holds = database.write(tx -> {
            boolean mine = claim.holds(tx);
            if (mine) {
                PushScanRows.asked(tx, scan, PushScan.hash(token.expose()), until);
            }
            return mine;
        });
        if (!holds) {
            return now;
        }
        byte[] body = writer.write(scan, review, token.expose(), until);
        try {
            var headers = new LinkedHashMap<String, String>();
            headers.put("Content-Type", "application/json");
            headers.putAll(
                    signer.headers(scan.id(), now, body, List.of(secrets.open(scan.scannerId(), scan.secret()))));
            var reply = client.send(new OutgoingClient.Call(
                    "POST",
                    URI.create(scan.url()),
                    headers,
                    body,
                    new OutgoingClient.Limits(LONGEST, MOST),
                    review.organizationId().toString()));
            if (reply.status() == 202) {
                return scan.dueAt();
            }
            if (reply.status() == 200 && reply.whole()) {
                answers.answer(scan, () -> parser.parse(reply.body(), scan.scanner()), bytes -> {});
                return scan.dueAt();
            }
            LOG.info("scanner {} answered {} to scan {}", scan.scanner(), reply.status(), scan.id());
        } catch (IOException | IllegalStateException e) {
            LOG.info("scanner {} could not be asked about scan {}: {}", scan.scanner(), scan.id(), e.getMessage());
        } catch (ProblemException e) {
            if (ProblemException.isUnavailable(e) || (e.problem() instanceof Problem.Conflict && !isWaiting(scan))) {
                throw e;
            }
            LOG.info(
                    "scanner {} gave a wrong answer to scan {}: {}",
                    scan.scanner(),
                    scan.id(),
                    e.problem().detail());
        }
        return database.now().plus(PAUSE);
    }

    private boolean isWaiting(PushScan scan) {
        return database.read(tx -> PushScanRows.find(tx, scan.id()))
                .filter(PushScan::isWaiting)
                .isPresent();
    }
}
