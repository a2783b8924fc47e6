package dev.sheaf.model.wire.bundle;

import java.util.List;

/// What reads a version again for findings.
///
/// @param scanners those of the policy that are asked; empty if it names none, or an earlier question still waits
public record VersionRescan(String version, String digest, List<String> scanners) {
    public VersionRescan {
        scanners = List.copyOf(scanners);
    }
}
