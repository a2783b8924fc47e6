package dev.sheaf.server.scan;

import dev.sheaf.model.Digest;
import dev.sheaf.model.wire.bundle.ScanFinding;
import dev.sheaf.server.bundle.review.PushScan;
import java.util.List;

/// What a scanner says.
///
/// @param digest what it has scanned
public record ScanAnswer(Digest digest, PushScan.Verdict verdict, List<ScanFinding> findings) {
    public ScanAnswer {
        findings = List.copyOf(findings);
    }

    /// Parses an answer. It comes from a stranger.
    public interface Parser {
        /// @param scanner the name of the scanner
        /// @throws dev.sheaf.model.ProblemException validation-failed, bad-request
        ScanAnswer parse(byte[] body, String scanner);
    }
}
