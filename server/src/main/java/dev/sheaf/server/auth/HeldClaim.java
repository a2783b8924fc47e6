package dev.sheaf.server.auth;

import java.text.ParseException;
import java.util.UUID;

/// A claim of a job. The token of a claim works while its claim does.
///
/// @param number the number of the claim of this job; a later claim has another one
public record HeldClaim(UUID organization, UUID job, int number) {
    private static final int PARTS = 3;

    /// Returns whether somebody holds the job by this claim, and its lease and grace are not over. Asked at each
    /// use of a token.
    public interface Check {
        boolean isHeld(HeldClaim claim);
    }

    String encode() {
        return organization + "/" + job + "/" + number;
    }

    /// @throws IllegalArgumentException if it is not the encoded form
    static HeldClaim decode(String text) throws ParseException {
        String[] parts = text.split("/", -1);
        if (parts.length != PARTS) {
            throw new ParseException("not a claim", 0);
        }
        return new HeldClaim(UUID.fromString(parts[0]), UUID.fromString(parts[1]), Integer.parseInt(parts[2]));
    }
}
