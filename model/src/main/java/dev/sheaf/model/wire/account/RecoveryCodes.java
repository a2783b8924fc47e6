package dev.sheaf.model.wire.account;

import java.util.List;

/// Codes that replace an authenticator, each usable once. Only the response that creates them contains them.
public record RecoveryCodes(List<String> recoveryCodes) {
    public RecoveryCodes {
        recoveryCodes = List.copyOf(recoveryCodes);
    }

    /// Hides the codes, since this record may be logged.
    @Override
    public String toString() {
        return "RecoveryCodes[" + recoveryCodes.size() + "]";
    }
}
