package dev.sheaf.model.passport;

/// The rows of a passport, in their order.
public enum PassportRow {
    RUNS("runs"),
    REACHES("reaches"),
    TOOLS("tools"),
    SECRETS("secrets"),
    LEAVES_BEHIND("leavesBehind"),
    INSTRUCTIONS("instructions");

    private final String wire;

    PassportRow(String wire) {
        this.wire = wire;
    }

    /// Returns the name on the wire.
    @Override
    public String toString() {
        return wire;
    }
}
