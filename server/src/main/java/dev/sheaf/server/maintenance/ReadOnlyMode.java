package dev.sheaf.server.maintenance;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.engine.db.StoredFacts;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.admin.ModeRecord;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.ReadOnly;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Read-only mode, by the setting of a node, for the whole installation, or because the database is damaged. Requests
/// that change something are
/// refused; signing in and getting tokens still work, and so does background work. Thread-safe.
public final class ReadOnlyMode implements ReadOnly {
    private static final Logger LOG = LoggerFactory.getLogger(ReadOnlyMode.class);
    private static final String FACT = "read-only";
    private static final String OFF = "";
    private static final int MAX_REASON = 500;
    private static final long RETRY_SECONDS = 60; // longer than the client waits: commands say it at once

    /// The tasks that read-only mode does not refuse: they go on in the background anyway, and a backup may be what
    /// the mode is for. Others change keys.
    private static final Set<String> ALWAYS = Set.of("audit-verify", "backup", "fsck", "gc", "scrub", "sweep");

    private final Database database;
    private final InvalidatedCache<String, String> known;
    private final LongAdder refused;
    private volatile boolean bySetting;
    private volatile @Nullable ModeRecord seen; // of the installation, when it was last looked at

    /// @param bySetting whether the setting of this node makes it read-only
    /// @param refused counts the requests that are refused
    public ReadOnlyMode(Database database, boolean bySetting, LongAdder refused) {
        this.database = database;
        this.known = new InvalidatedCache<>(database, "mode", 1);
        this.refused = refused;
        this.bySetting = bySetting;
        database.onChange(this::onChange);
        database.beforeWrites(ReadOnly::checkChange);
    }

    private void onChange(DataChange change) {
        switch (change.kind()) {
            case MODE -> known.forget(FACT);
            case EVERYTHING -> known.forgetAll();
            default -> {}
        }
    }

    /// Logs that the setting makes this node read-only, if it does.
    public void begin() {
        if (bySetting) {
            LOG.info("this node is read-only: it refuses changes while its setting read-only is true");
        }
    }

    public void bySetting(boolean on) {
        boolean changes = bySetting != on;
        bySetting = on;
        if (changes && !on) {
            LOG.info("the setting read-only no longer makes this node read-only");
        } else if (changes) {
            begin();
        }
    }

    /// Looks at the mode of the installation, and logs a change. While the database is down, everything stays as it
    /// was.
    public synchronized void look() {
        ModeRecord now;
        try {
            now = ofInstallation();
        } catch (ProblemException e) {
            return; // the health of the node has the reason
        }
        var before = seen;
        seen = now;
        if (now.readOnly() && !now.equals(before)) {
            LOG.info(
                    "the installation is read-only{}: it refuses changes until `sheaf admin mode writable`",
                    now.reason() == null ? "" : " (" + oneLine(now.reason()) + ")");
        } else if (before != null && before.readOnly() && !now.readOnly()) {
            LOG.info("the installation is writable");
        }
    }

    /// Replaces control and invisible characters, so that a reason cannot write lines of its own.
    private static String oneLine(String reason) {
        return reason.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+", " ").strip();
    }

    /// Returns the mode without asking the database, at most a few seconds old; null if it is not known yet.
    public @Nullable ModeRecord lastSeen() {
        if (bySetting) {
            return ofSetting();
        }
        return database.damage().fault().isPresent() ? ofDamage() : seen;
    }

    /// Refuses to start a task that changes keys while the installation is read-only.
    ///
    /// @throws ProblemException those of [#check]
    public void check(Tasks.Start wanted) {
        if (!ALWAYS.contains(wanted.task())) {
            check();
        }
    }

    @Override
    public void check() {
        var mode = read();
        if (mode.readOnly()) {
            refused.increment();
            String reason = mode.reason() == null ? "" : ": " + mode.reason();
            throw new Problem.Unavailable("the registry is read-only now" + reason + "; try again later", RETRY_SECONDS)
                    .raise();
        }
    }

    public ModeRecord read() {
        if (bySetting) {
            return ofSetting();
        }
        return database.damage().fault().isPresent() ? ofDamage() : ofInstallation();
    }

    private static ModeRecord ofSetting() {
        return new ModeRecord(true, null, "setting");
    }

    private static ModeRecord ofDamage() {
        return new ModeRecord(true, "the database is damaged", "damage");
    }

    private ModeRecord ofInstallation() {
        String reason = known.get(
                        FACT,
                        name -> Optional.of(
                                database.read(tx -> StoredFacts.find(tx, name).orElse(OFF))))
                .orElse(OFF);
        return reason.isEmpty()
                ? new ModeRecord(false, null, null)
                : new ModeRecord(true, reason.substring(1).isEmpty() ? null : reason.substring(1), "admin");
    }

    /// Returns whether a stored fact says that the installation is read-only.
    public static boolean isReadOnly(String fact, String value) {
        return fact.equals(FACT) && !value.equals(OFF);
    }

    public ModeRecord parse(RequestFields fields) {
        var readOnly = fields.flag("readOnly");
        if (!fields.has("readOnly")) {
            fields.error("readOnly", "required", "must be true or false");
        }
        return new ModeRecord(Boolean.TRUE.equals(readOnly), fields.optional("reason", MAX_REASON), null);
    }

    /// Sets the mode of the installation. Other nodes apply it within about a second.
    public ModeRecord set(ChangeOrigin origin, ModeRecord mode) {
        String value = mode.readOnly() ? "+" + (mode.reason() == null ? "" : mode.reason()) : OFF;
        database.write(tx -> {
            StoredFacts.note(tx, FACT, OFF);
            StoredFacts.set(tx, FACT, value);
            AuditRows.record(tx, origin, mode.readOnly() ? "mode.read_only" : "mode.writable", "installation");
            tx.changed(new DataChange(DataChange.Kind.MODE, FACT));
            return true;
        });
        look();
        return read();
    }
}
