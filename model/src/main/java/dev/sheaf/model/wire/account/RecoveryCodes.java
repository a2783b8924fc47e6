package dev.sheaf.model.wire.account;

import java.util.List;

/// Codes that stand in for an authenticator, each once, in the answer that made them and never again.
public record RecoveryCodes(List<String> recoveryCodes) {
    public RecoveryCodes {
        recoveryCodes = List.copyOf(recoveryCodes);
    }

    /// Hides the codes: this record may reach a log.
    @Override
    public String toString() {
        return "RecoveryCodes[" + recoveryCodes.size() + "]";
    }
}
