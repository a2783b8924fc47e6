package dev.sheaf.client.folder;

import dev.sheaf.client.io.FileModes;
import dev.sheaf.model.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What stands at a place in a folder, or is to stand there.
public sealed interface Standing {
    /// Nothing at all.
    record Nothing() implements Standing {}

    /// A file.
    ///
    /// @param executable null where that is not known, or not kept there
    record File(Digest digest, @Nullable Boolean executable) implements Standing {}

    /// A symbolic link.
    ///
    /// @param to as it is written in the link
    record Link(String to) implements Standing {}

    /// Anything else, such as a folder.
    record Other() implements Standing {}

    Standing NOTHING = new Nothing();

    /// What stands at `place` now. No link is followed at its end.
    static Standing at(Path place) throws IOException {
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

    /// Whether this stands at `place` now.
    default boolean standsAt(Path place) throws IOException {
        return switch (this) {
            case Nothing _ -> !TargetFolder.exists(place);
            case File file ->
                TargetFolder.isFile(place)
                        && TargetFolder.hasDigest(place, file.digest())
                        && FileModes.isRight(place, file.executable());
            case Link link ->
                Files.isSymbolicLink(place)
                        && Files.readSymbolicLink(place).toString().equals(link.to());
            case Other _ -> false;
        };
    }
}
