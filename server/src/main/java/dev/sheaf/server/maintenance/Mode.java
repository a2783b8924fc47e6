package dev.sheaf.server.maintenance;

import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.admin.ModeRecord;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.auth.ReadOnly;
import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Facts;
import dev.sheaf.server.db.InvalidatedCache;
import dev.sheaf.server.input.Fields;
import java.util.Optional;

/// Read-only mode, by the setting of a node or for the whole installation. Requests that change something are
/// refused; signing in and getting tokens still work, and so does background work. Thread-safe.
public final class Mode implements ReadOnly {
    private static final String FACT = "read-only";
    private static final String OFF = "";
    private static final int MAX_REASON = 500;
    private static final long RETRY_SECONDS = 60; // longer than the client waits: commands say it at once

    private final Database database;
    private final InvalidatedCache<String, String> known;
    private volatile boolean bySetting;

    /// @param bySetting whether the setting of this node makes it read-only
    public Mode(Database database, boolean bySetting) {
        this.database = database;
        this.known = new InvalidatedCache<>(database, "mode", 1);
        this.bySetting = bySetting;
        database.onChange(this::onChange);
        database.beforeWrites(ReadOnly::checkChange);
    }

    private void onChange(Change change) {
        switch (change.kind()) {
            case MODE -> known.forget(FACT);
            case EVERYTHING -> known.forgetAll();
            default -> {}
        }
    }

    public void bySetting(boolean on) {
        bySetting = on;
    }

    @Override
    public void check() {
        var mode = read();
        if (mode.readOnly()) {
            String reason = mode.reason() == null ? "" : ": " + mode.reason();
            throw new Problem.Unavailable("the registry is read-only now" + reason + "; try again later", RETRY_SECONDS)
                    .raise();
        }
    }

    public ModeRecord read() {
        if (bySetting) {
            return new ModeRecord(true, null, "setting");
        }
        String reason = known.get(
                        FACT,
                        name -> Optional.of(
                                database.read(tx -> Facts.find(tx, name).orElse(OFF))))
                .orElse(OFF);
        return reason.isEmpty()
                ? new ModeRecord(false, null, null)
                : new ModeRecord(true, reason.substring(1).isEmpty() ? null : reason.substring(1), "admin");
    }

    public ModeRecord parse(Fields fields) {
        var readOnly = fields.flag("readOnly");
        if (!fields.has("readOnly")) {
            fields.error("readOnly", "required", "must be true or false");
        }
        return new ModeRecord(Boolean.TRUE.equals(readOnly), fields.optional("reason", MAX_REASON), null);
    }

    /// Sets the mode of the installation. Other nodes apply it within about a second.
    public ModeRecord set(Origin origin, ModeRecord mode) {
        String value = mode.readOnly() ? "+" + (mode.reason() == null ? "" : mode.reason()) : OFF;
        database.write(tx -> {
            Facts.note(tx, FACT, OFF);
            Facts.set(tx, FACT, value);
            AuditRows.record(tx, origin, mode.readOnly() ? "mode.read_only" : "mode.writable", "installation");
            tx.changed(new Change(Change.Kind.MODE, FACT));
            return true;
        });
        return read();
    }
}
