package dev.sheaf.server.http.policy;

/// Size limits of request bodies (contract 6), in bytes.
///
/// @param push the JSON body of a push
/// @param json another JSON body without a long text
/// @param text a text asset within JSON
/// @param readme a README
/// @param manifest an OCI manifest
public record BodyLimits(long push, long json, int text, int readme, long manifest) {
    public static final BodyLimits USUAL = new BodyLimits(64L << 20, 1L << 20, 4 << 20, 512 << 10, 4L << 20);

    private static final long ESCAPED = 6; // a byte of text takes at most 6 bytes in JSON

    /// Returns the limit of a JSON body with a text asset, even if every byte is escaped.
    public long asset() {
        return ESCAPED * text + 2 * json;
    }

    /// Returns the limit of a JSON body with a README, for operators who allow large READMEs.
    public long profile() {
        return Math.max(json, 2L * readme);
    }
}
