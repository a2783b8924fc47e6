package dev.sheaf.client;

import dev.sheaf.model.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// One key in one file that only its owner can read: mode 0600 in folders of mode 0700, where the file system knows
/// modes.
final class CredentialFile {
    private static final int LONGEST = 4096;
    private static final Set<PosixFilePermission> OWNER_ONLY = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private final Path file;

    CredentialFile(Path file) {
        this.file = file;
    }

    Path path() {
        return file;
    }

    /// @throws SheafException.Local where group or others may read or write the file
    Optional<Secret> find() {
        try {
            if (knowsModes(file) && !OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
                throw new SheafException.Local(
                        file + " is open to other users of this machine and is not used. Make it private: chmod 600 "
                                + file + ". If others may have read the key, revoke it",
                        null);
            }
            try (var in = Files.newInputStream(file)) {
                String key = new String(in.readNBytes(LONGEST), StandardCharsets.UTF_8).strip();
                return key.isEmpty() ? Optional.empty() : Optional.of(Secret.of(key));
            }
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw Disk.failed("cannot read the credentials file " + file, e);
        }
    }

    void store(Secret key) {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder == null) {
                throw new IOException("no folder above " + file);
            }
            boolean modes = knowsModes(existing(folder));
            Files.createDirectories(folder, modes ? mode("rwx------") : new FileAttribute<?>[0]);
            Path fresh =
                    Files.createTempFile(folder, ".api-key", "", modes ? mode("rw-------") : new FileAttribute<?>[0]);
            try {
                Files.writeString(fresh, key.expose() + "\n");
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (IOException e) {
            throw Disk.failed("cannot write the credentials file " + file, e);
        }
    }

    boolean remove() {
        try {
            return Files.deleteIfExists(file);
        } catch (IOException e) {
            throw Disk.failed("cannot remove the credentials file " + file, e);
        }
    }

    private static FileAttribute<?>[] mode(String mode) {
        return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))};
    }

    private static Path existing(Path folder) {
        Path path = folder.toAbsolutePath();
        while (!Files.exists(path) && path.getParent() != null) {
            path = path.getParent();
        }
        return path;
    }

    private static boolean knowsModes(Path path) throws IOException {
        return Files.getFileStore(path).supportsFileAttributeView("posix");
    }
}
