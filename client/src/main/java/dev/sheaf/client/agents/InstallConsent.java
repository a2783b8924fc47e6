package dev.sheaf.client.agents;

import java.util.List;

/// Asks a person before content is written that needs consent and that the options do not allow.
@FunctionalInterface
public interface InstallConsent {
    /// Asks nobody: an installation that needs consent is refused.
    InstallConsent NEVER = (reason, what) -> false;

    /// Returns whether the content may be written. Called on the thread of the installation, which waits; other
    /// installations into the same folder wait, too.
    ///
    /// @param reason what the content does, as a sentence without its point
    /// @param what the parts that do it, a line each
    boolean isGiven(String reason, List<String> what);
}
