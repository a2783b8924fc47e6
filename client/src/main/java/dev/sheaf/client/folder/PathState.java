package dev.sheaf.client.folder;

import dev.sheaf.client.io.FileModes;
import dev.sheaf.model.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The state of a path in a folder.
public sealed interface PathState {
    /// Nothing is there.
    record Nothing() implements PathState {}

    /// A file.
    ///
    /// @param executable null if this is unknown, or the file system does not support it
    record File(Digest digest, @Nullable Boolean executable) implements PathState {}

    /// A symbolic link.
    ///
    /// @param to the target as written in the link
    record Link(String to) implements PathState {}

    /// Anything else, such as a folder.
    record Other() implements PathState {}

    PathState NOTHING = new Nothing();

    /// Returns the state of `place`. A link there is not followed.
    static PathState at(Path place) throws IOException {
        if (Files.isSymbolicLink(place)) {
            return new Link(Files.readSymbolicLink(place).toString());
        }
        if (!TargetFolder.exists(place)) {
            return NOTHING;
        }
        return TargetFolder.isFile(place)
                ? new File(TargetFolder.digest(place, Digest.Algorithm.SHA256), mode(place))
                : new Other();
    }

    private static @Nullable Boolean mode(Path place) throws IOException {
        return FileModes.areKept(place) ? FileModes.isExecutable(place) : null;
    }

    /// Returns whether `place` is in this state now.
    default boolean standsAt(Path place) throws IOException {
        return switch (this) {
            case Nothing nothing -> !TargetFolder.exists(place);
            case File file ->
                TargetFolder.isFile(place)
                        && TargetFolder.hasDigest(place, file.digest())
                        && FileModes.isRight(place, file.executable());
            case Link link ->
                Files.isSymbolicLink(place)
                        && Files.readSymbolicLink(place).toString().equals(link.to());
            case Other other -> false;
        };
    }
}
