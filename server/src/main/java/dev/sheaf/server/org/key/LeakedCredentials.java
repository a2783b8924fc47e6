package dev.sheaf.server.org.key;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Throttle;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.audit.AuditEntry;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.AccessTokens;
import dev.sheaf.server.auth.KnownCredentials;
import dev.sheaf.server.auth.RevokedTokens;
import dev.sheaf.server.auth.TokenSubject;
import dev.sheaf.server.auth.secret.PepperRing;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Accepts reports of credentials that were found in public places (contract 5.1), and revokes credentials of
/// this installation. Thread-safe.
///
/// The request only queues a report, so neither its answer nor its duration discloses which credentials were
/// valid. An API key is revoked, and the session of a refresh token ends. An access token is revoked, but not
/// the key from which it was made, because the holder of a part of a key's rights must not be able to revoke
/// the whole key.
public final class LeakedCredentials {
    private static final Logger LOG = LoggerFactory.getLogger(LeakedCredentials.class);
    private static final long MAX_WAITING = 16 << 20;
    private static final int MAX_CREDENTIALS = 100;
    private static final String REASON = "leaked";
    /// The actor in the audit log. The reporter is anonymous; only the address is known.
    private static final String REPORT = "leak-report";

    private final Database database;
    private final PepperRing peppers;
    private final KnownCredentials known;
    private final AccessTokens tokens;
    private final BiPredicate<Secret, Report> refreshTokens;
    private final ConcurrentLinkedDeque<Report> waiting = new ConcurrentLinkedDeque<>();
    private final AtomicLong weight = new AtomicLong();

    /// A report of leaked credentials.
    ///
    /// @param address the address of the reporter
    public record Report(List<Secret> credentials, String address, String requestId) {
        public static Report of(List<String> texts, String address, String requestId) {
            var credentials = texts.stream()
                    .map(String::strip)
                    .filter(text -> text.length() <= AccessTokens.MAX_LENGTH) // issued ones are never longer
                    .map(Secret::of)
                    .toList();
            return new Report(credentials, address, requestId);
        }

        public Report {
            credentials = List.copyOf(credentials);
        }

        long weight() {
            return 1_000
                    + credentials.stream()
                            .mapToLong(secret -> 100 + secret.expose().length())
                            .sum();
        }
    }

    /// @param refreshTokens ends the session of a refresh token, and notifies its organization; returns false
    /// if the text does not have the form of a refresh token
    public LeakedCredentials(
            Database database,
            PepperRing peppers,
            KnownCredentials known,
            AccessTokens tokens,
            BiPredicate<Secret, Report> refreshTokens) {
        this.refreshTokens = refreshTokens;
        this.database = database;
        this.peppers = peppers;
        this.known = known;
        this.tokens = tokens;
    }

    /// Reads the reported credentials.
    public static List<String> parse(RequestFields fields) {
        var texts = fields.texts("credentials");
        if (texts == null && !fields.has("credentials")) {
            fields.error("credentials", "required", "is required");
        } else if (texts != null && texts.size() > MAX_CREDENTIALS) {
            fields.error("credentials", "range", "has " + texts.size() + " entries; at most " + MAX_CREDENTIALS);
        }
        return texts == null ? List.of() : texts;
    }

    /// Queues a report for [#run].
    ///
    /// @throws ProblemException unavailable if too many reports wait
    public void report(Report report) {
        if (weight.addAndGet(report.weight()) > MAX_WAITING) {
            weight.addAndGet(-report.weight());
            throw new Problem.Unavailable(
                            Throttle.MEMORY, "too many reports are waiting; send this one again in 5 s", 5)
                    .raise();
        }
        waiting.add(report);
    }

    /// Handles queued reports. Called several times a second, by one thread at a time, and when the node
    /// stops. If the database fails, the report stays in the queue.
    public void run() {
        Report report;
        while ((report = waiting.poll()) != null) {
            try {
                for (Secret credential : report.credentials()) {
                    end(credential, report);
                }
            } catch (RuntimeException e) {
                waiting.addFirst(report);
                throw e;
            }
            weight.addAndGet(-report.weight());
        }
    }

    private void end(Secret credential, Report report) {
        if (KeyFormat.isWellFormed(credential.expose())) {
            var hashes = peppers.hashes(credential);
            String revoked = database.write(tx -> ApiKeyRows.bySecret(tx, hashes)
                    .map(found -> revoke(tx, found.id(), report))
                    .orElse(""));
            if (!revoked.isEmpty()) {
                LOG.warn("API key {} was reported as leaked and is revoked", revoked);
            }
        } else if (!credential.expose().startsWith(KeyFormat.PREFIX) && !refreshTokens.test(credential, report)) {
            endToken(credential, report);
        }
    }

    /// Revokes a key and returns its id and hint; empty if it was already revoked.
    private static String revoke(Tx tx, UUID id, Report report) {
        var owner = ApiKeyRows.record(tx, id).orElseThrow();
        var key = ApiKeyRows.find(tx, owner.organizationId(), id).orElseThrow().wire();
        if (!ApiKeyRows.revoke(tx, id, REPORT, REASON)) {
            return "";
        }
        tx.changed(new DataChange(DataChange.Kind.API_KEY, id.toString()));
        OutboxRows.emit(tx, owner.organizationId(), new Event.ApiKeyLeaked(id, key.name(), key.hint(), key.state()));
        OutboxRows.emit(tx, owner.organizationId(), new Event.ApiKeyRevoked(id, key.name(), REASON));
        record(tx, owner.organizationId(), report, "api_key.leak", id.toString());
        return id + " (" + key.hint() + ")";
    }

    /// Writes the outcome of a report to the audit log.
    ///
    /// @param organization the owner of the credential; null for a person without an organization
    public static void record(Tx tx, @Nullable UUID organization, Report report, String action, String subject) {
        AuditRows.insert(
                tx,
                new AuditEntry(
                        organization,
                        REPORT,
                        "a report from outside",
                        action,
                        subject,
                        AuditEntry.Outcome.SUCCESS,
                        null,
                        1,
                        report.address(),
                        report.requestId()));
    }

    private void endToken(Secret credential, Report report) {
        AccessTokens.Token token;
        try {
            token = tokens.verify(credential.expose(), database.now());
        } catch (ProblemException e) {
            return; // not from this installation, or already expired or revoked
        }
        var subject = token.subject();
        var owner = known.owner(subject);
        boolean ended = database.write(tx -> {
            if (!RevokedTokens.revoke(tx, token)) {
                return false;
            }
            owner.ifPresent(organization -> {
                OutboxRows.emit(tx, organization, new Event.AccessTokenLeaked(token.id(), TokenSubject.text(subject)));
                record(tx, organization, report, "access_token.leak", token.id());
            });
            return true;
        });
        if (ended) {
            LOG.warn("an access token of {} was reported as leaked", TokenSubject.text(subject));
        }
    }
}
