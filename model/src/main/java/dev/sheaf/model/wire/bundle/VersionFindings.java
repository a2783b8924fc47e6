package dev.sheaf.model.wire.bundle;

import java.util.List;

/// What the registry finds in a version.
///
/// @param rules the date of the rules
/// @param findings the worst first, and then the files that were not read to their end
public record VersionFindings(
        String namespace, String bundle, String version, String ociDigest, String rules, List<ScanFinding> findings) {
    public VersionFindings {
        findings = List.copyOf(findings);
    }
}
