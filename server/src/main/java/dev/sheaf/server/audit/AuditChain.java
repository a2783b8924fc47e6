package dev.sheaf.server.audit;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.auth.secret.MasterSecret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Chains the entries of the audit log by hashes, so that a changed, inserted or removed entry is detected.
/// Thread-safe.
///
/// The hash of an entry is HMAC-SHA-256 over the previous hash and all fields of the entry. The key is derived
/// from the master secret, so somebody who can write to the database but does not know the secret cannot forge a
/// chain. The end of the chain is stored with its own proof, so that the last entries cannot be cut off either.
/// Entries are sealed within a second after their commit by the node that wrote them, and not in the same transaction,
/// because pushes would
/// have to wait for each other at the end of the chain.
///
/// Entries can be removed from its beginning. The last removed one is stored with a proof, and the chain continues
/// from its hash.
///
/// The chain alone does not detect that an older state of the whole database was restored. For that, compare with
/// an end that was stored elsewhere: the server logs [#end] once a day, and [#verify] takes one.
public final class AuditChain {
    private static final int SEALED_AT_ONCE = 500;
    private static final String ALGORITHM = "HmacSHA256";
    /// The end of an empty chain.
    private static final End NOTHING = new End(0, "0".repeat(64));

    private final Database database;
    private final SecretKeySpec key;
    private final AtomicBoolean written = new AtomicBoolean(true);

    /// The end of the chain.
    ///
    /// @param hash hash of the entry with that seq, in hex
    public record End(long seq, String hash) {
        /// Returns `seq:hash`, the form that [#parse] reads.
        @Override
        public String toString() {
            return seq + ":" + hash;
        }

        /// @throws IllegalArgumentException if `text` is not `seq:hash`
        public static End parse(String text) {
            if (!text.matches("[0-9]{1,18}:[0-9a-f]{64}")) {
                throw new IllegalArgumentException("must be seq:hash, as audit-verify shows it");
            }
            return new End(Long.parseLong(text.substring(0, text.indexOf(':'))), text.substring(text.indexOf(':') + 1));
        }
    }

    public AuditChain(Database database, MasterSecret master) {
        this.database = database;
        this.key = new SecretKeySpec(master.derive("audit-chain/1"), ALGORITHM);
    }

    /// Starts to note whether this node writes entries.
    public void begin() {
        database.onChange(change -> {
            if (change.kind() == DataChange.Kind.AUDIT) {
                written.set(true);
            }
        });
    }

    /// Adds unsealed entries to the chain if this node has written some since the last call.
    public void sealOwn() {
        if (written.getAndSet(false)) {
            try {
                seal();
            } catch (RuntimeException e) {
                written.set(true);
                throw e;
            }
        }
    }

    /// Adds all unsealed entries to the chain. Several nodes may do so at the same time.
    public void seal() {
        while (database.read(AuditRows::hasUnsealed)) {
            database.write(this::sealSome);
        }
    }

    private End sealSome(Tx tx) {
        var end = AuditRows.lockHead(tx).map(this::proven).orElse(NOTHING);
        var seals = new ArrayList<AuditRows.Seal>();
        for (var row : AuditRows.unsealed(tx, SEALED_AT_ONCE)) {
            end = new End(end.seq() + 1, hash(end, row));
            seals.add(new AuditRows.Seal(row.id(), end.seq(), end.hash()));
        }
        AuditRows.seal(tx, seals); // in one batch: other nodes wait for the end of the chain meanwhile
        AuditRows.setHead(tx, end + ":" + proof("end", end));
        return end;
    }

    /// Returns the stored end without checking its proof. [#verify] does that; if sealing stopped at a damaged
    /// end, an attacker could stop it by damaging the end.
    private End proven(String written) {
        return End.parse(written.substring(0, written.lastIndexOf(':')));
    }

    /// Returns the current end of the chain; seq 0 if the chain is empty.
    public End end() {
        return database.read(AuditRows::head).map(this::proven).orElse(NOTHING);
    }

    /// Checks the whole chain.
    ///
    /// @param expected an end that was stored earlier and must still be in the chain; null if unknown
    /// @param step receives the number of entries of each batch that was checked
    /// @param broken receives every defect: the entry and the reason
    /// @return the end that was found
    public End verify(@Nullable End expected, Step step, BiConsumer<String, String> broken) {
        seal();
        var written = database.read(AuditRows::head);
        var found = checkedStart(broken);
        boolean isExpectedSeen = expected == null || expected.seq() < found.seq() || expected.equals(found);
        var stretch = next(found);
        while (!stretch.isEmpty()) {
            for (var row : stretch) {
                found = check(found, row, broken);
                isExpectedSeen |= found.equals(expected);
            }
            step.passed(stretch.size());
            stretch = next(found);
        }
        if (expected != null && !isExpectedSeen) {
            broken.accept(
                    "entry " + expected.seq(), "is missing or differs from the expected entry: " + expected.hash());
        }
        checkEnd(written.orElse(null), found, broken);
        return found;
    }

    /// Receives progress.
    public interface Step {
        void passed(long entries);
    }

    private List<AuditRow> next(End after) {
        return database.read(tx -> AuditRows.sealed(tx, after.seq(), SEALED_AT_ONCE));
    }

    private End check(End before, AuditRow row, BiConsumer<String, String> broken) {
        long seq = row.seq() == null ? 0 : row.seq();
        String written = row.hash() == null ? "" : row.hash();
        if (seq != before.seq() + 1) {
            broken.accept(
                    "entry " + (before.seq() + 1),
                    "is missing, and so are all entries up to " + (seq - 1) + "; they were removed");
        } else if (!hash(before, row).equals(written)) {
            broken.accept(
                    "entry " + seq + " (" + row.id() + ")",
                    "does not match its hash: this entry or the one before it was changed");
        }
        return new End(seq, written);
    }

    private void checkEnd(@Nullable String written, End found, BiConsumer<String, String> broken) {
        if (written == null) {
            if (!found.equals(NOTHING)) {
                broken.accept("the chain's end", "is not recorded, although there are entries");
            }
            return;
        }
        var end = proven(written);
        if (!isProven(written, "end")) {
            broken.accept("the chain's end", "was not written by this registry");
        } else if (found.seq() < end.seq()) {
            broken.accept(
                    "entry " + (found.seq() + 1),
                    "is missing, and so are all entries up to " + end.seq() + ", the chain's end");
        }
    }

    private End checkedStart(BiConsumer<String, String> broken) {
        var written = database.read(AuditRows::start);
        if (written.isPresent() && !isProven(written.get(), "start")) {
            broken.accept("the chain's start", "was not written by this registry");
            return NOTHING;
        }
        return written.map(this::proven).orElse(NOTHING);
    }

    private boolean isProven(String written, String kind) {
        String proof = written.substring(written.lastIndexOf(':') + 1);
        return MessageDigest.isEqual(ascii(proof(kind, proven(written))), ascii(proof));
    }

    // --- removal ---

    /// Returns the last entry that was removed; seq 0 if all are there.
    public End start() {
        return database.read(AuditRows::start).map(this::proven).orElse(NOTHING);
    }

    /// Removes a batch of the oldest entries that are from before a moment.
    ///
    /// @param copy receives them first; if it throws, they stay
    /// @return how many; 0 if no more are due, or if another node did the same
    /// @throws IllegalStateException if the chain is broken there: the entries are evidence, and stay
    public int removeOld(Instant before, Consumer<List<AuditRow>> copy) {
        var written = database.read(AuditRows::start);
        if (written.isPresent() && !isProven(written.get(), "start")) {
            throw broken();
        }
        var start = written.map(this::proven).orElse(NOTHING);
        var old =
                next(start).stream().takeWhile(row -> row.at().isBefore(before)).toList();
        if (old.isEmpty()) {
            return 0;
        }
        var last = start;
        for (var row : old) {
            last = check(last, row, (what, why) -> {
                throw broken();
            });
        }
        copy.accept(old);
        var end = last;
        String value = end + ":" + proof("start", end);
        return database.write(tx -> AuditRows.remove(tx, written.orElse(null), value, end.seq())) ? old.size() : 0;
    }

    private static IllegalStateException broken() {
        return new IllegalStateException(
                "the audit log was tampered with, so no entry is removed from it; sheaf admin audit verify says where");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private String proof(String kind, End end) {
        return hmac(kind, end.toString());
    }

    private String hash(End before, AuditRow row) {
        var entry = row.entry();
        return hmac(
                before.hash(),
                Long.toString(before.seq() + 1),
                row.id().toString(),
                entry.organizationId() == null ? null : entry.organizationId().toString(),
                entry.actor(),
                entry.actorName(),
                entry.action(),
                entry.subject(),
                entry.outcome().toString(),
                entry.detail(),
                Long.toString(entry.times()),
                entry.address(),
                entry.requestId(),
                Long.toString(row.at().toEpochMilli()));
    }

    /// Returns the MAC of the parts. Each part is preceded by its length, so that different lists of parts never
    /// have the same bytes.
    private String hmac(@Nullable String... parts) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            for (String part : parts) {
                byte[] bytes = part == null ? new byte[0] : part.getBytes(StandardCharsets.UTF_8);
                mac.update(((part == null ? -1 : bytes.length) + ":").getBytes(StandardCharsets.US_ASCII));
                mac.update(bytes);
            }
            return HexFormat.of().formatHex(mac.doFinal());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }
}
