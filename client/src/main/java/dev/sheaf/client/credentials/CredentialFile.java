package dev.sheaf.client.credentials;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.io.OwnerOnly;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.model.key.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/// A file with one secret that only its owner can read.
final class CredentialFile {
    private static final int LONGEST = 16 << 10;

    private final Path folder;
    private final Path file;

    CredentialFile(Path folder, String name) {
        this.folder = folder;
        this.file = folder.resolve(name);
    }

    Path path() {
        return file;
    }

    /// @throws SheafException.Local if group or others may read or write the file
    Optional<Secret> find() {
        try {
            if (!OwnerOnly.holdsFor(file)) {
                throw new SheafException.Local(
                        file
                                + " can be accessed by other users of this machine, so it is not used. Make it private:"
                                + " chmod 600 "
                                + ShellWord.of(file) + ". If others may have read it, revoke the key, or"
                                + " log out and in again",
                        null);
            }
            try (var in = Files.newInputStream(file)) {
                String key = new String(in.readNBytes(LONGEST), StandardCharsets.UTF_8).strip();
                return key.isEmpty() ? Optional.empty() : Optional.of(Secret.of(key));
            }
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read the credentials file " + file, e);
        }
    }

    void store(Secret key) {
        try {
            OwnerOnly.makeFolder(folder);
            Path fresh = OwnerOnly.makeFile(folder);
            try {
                Files.writeString(fresh, key.expose() + "\n");
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (IOException e) {
            throw DiskFailures.failed("cannot write the credentials file " + file, e);
        }
    }

    boolean remove() {
        try {
            return Files.deleteIfExists(file);
        } catch (IOException e) {
            throw DiskFailures.failed("cannot remove the credentials file " + file, e);
        }
    }
}
