package dev.sheaf.client.api;

import dev.sheaf.model.Digest;
import java.util.List;

/// How the files of a folder compare with a bundle.
///
/// @param bundle `namespace/bundle`
/// @param manifestDigest digest of the OCI manifest that was compared with
/// @param files every asset of the bundle by path, then the files that are no part of it
public record Verification(String bundle, String version, Digest manifestDigest, List<Checked> files) {
    /// What is the matter with a file.
    public enum State {
        /// Every byte is right.
        OK,
        MISSING,
        /// There, with other content; or something else, such as a link, stands there.
        CHANGED,
        /// Every byte is right; but it is executable and should not be, or the other way round.
        MODE,
        /// No part of the bundle, be it a file or, with a `/` at its end, a folder of version control.
        EXTRA,
        /// Not there, and rightly so: its path is refused.
        REFUSED
    }

    public record Checked(String path, State state) {}

    public Verification {
        files = List.copyOf(files);
    }

    /// Whether every asset is there and right but for those that are refused; further files do not
    /// count.
    public boolean isWhole() {
        return count(State.MISSING) + count(State.CHANGED) + count(State.MODE) == 0;
    }

    public long count(State state) {
        return files.stream().filter(file -> file.state() == state).count();
    }
}
