package dev.sheaf.client.api;

import dev.sheaf.model.Digest;
import java.util.List;

/// The comparison of a folder with a bundle.
///
/// @param bundle `namespace/bundle`
/// @param manifestDigest the digest of the bundle's OCI manifest
/// @param files all assets of the bundle ordered by path, then files that are not part of it
public record Verification(String bundle, String version, Digest manifestDigest, List<Checked> files) {
    /// The state of a file.
    public enum State {
        /// All bytes match.
        OK,
        MISSING,
        /// It has different content, or is not a regular file, such as a link.
        CHANGED,
        /// All bytes match, but its executable mode is wrong.
        MODE,
        /// Not part of the bundle: a file, or a folder of version control, whose path ends in `/`.
        EXTRA,
        /// Missing on purpose: its path is refused.
        REFUSED
    }

    /// A path that was compared, and the result.
    public record Checked(String path, State state) {}

    public Verification {
        files = List.copyOf(files);
    }

    /// Returns whether all assets match, except for refused ones; extra files are ignored.
    public boolean isWhole() {
        return count(State.MISSING) + count(State.CHANGED) + count(State.MODE) == 0;
    }

    /// Returns the number of paths in this state.
    public long count(State state) {
        return files.stream().filter(file -> file.state() == state).count();
    }
}
