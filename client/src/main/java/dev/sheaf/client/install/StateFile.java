package dev.sheaf.client.install;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.io.OwnFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/// Reads a file with the state of an installation. It is untrusted: it may come from a pull request, or from a
/// merge.
final class StateFile {
    private StateFile() {}

    /// Returns the text; empty if the file does not exist.
    ///
    /// @throws SheafException.Conflict if it contains conflict markers of a merge
    /// @throws SheafException.InvalidRequest if it is a link, or too long
    static Optional<String> read(Path file, int longest) {
        String text;
        try {
            text = OwnFile.read(Objects.requireNonNull(file.getParent()), file, longest);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read " + file, e);
        }
        int line = 0;
        for (String row : text.lines().toList()) {
            line++;
            if (row.startsWith("<<<<<<<") || row.startsWith(">>>>>>>") || row.equals("=======")) {
                throw conflict(file, line);
            }
        }
        return Optional.of(text);
    }

    private static SheafException conflict(Path file, int line) {
        String name = file.getFileName().toString();
        boolean lock = name.equals(InstallLock.NAME);
        return new SheafException.Conflict(
                file + ":" + line + ": this file has conflict markers of a merge, so nothing was done. "
                        + (lock
                                ? "Resolve " + WishFile.NAME + " first, then take either side of the lock (git checkout"
                                        + " --ours " + name + ") and install what it lacks"
                                : "Keep what both sides want, remove the conflict markers, and install again"),
                SheafException.Answer.NONE);
    }
}
