package dev.sheaf.server;

import dev.sheaf.model.Secret;
import dev.sheaf.server.auth.MasterSecret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The folder that holds everything of one node, locked against a second process while this one runs.
final class DataDir implements AutoCloseable {
    private final Path root;
    private final FileChannel lockFile;

    private DataDir(Path root, FileChannel lockFile) {
        this.root = root;
        this.lockFile = lockFile;
    }

    /// @throws StartException where the folder cannot be written or another process has it
    static DataDir open(Path root) {
        try {
            createPrivately(root);
            var channel = FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (tryLock(channel) == null) {
                channel.close();
                throw new StartException(
                        Exit.DATA_DIR_LOCKED,
                        "the data directory " + root
                                + " is in use by another process; stop that one, or choose another with --data-dir");
            }
            return new DataDir(root, channel);
        } catch (IOException e) {
            throw unusable(root, e);
        }
    }

    /// What is in there is private, so other users of the machine see nothing of it. A folder that exists keeps its
    /// mode.
    private static void createPrivately(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // this very process has it
        }
    }

    private static StartException unusable(Path root, IOException e) {
        return new StartException(
                Exit.DATA_DIR_UNUSABLE,
                "the data directory " + root + " cannot be written (" + e
                        + "); create it, give this user the right to write there, or choose another with --data-dir");
    }

    /// Whether the database was not closed by the process that had it last.
    boolean wasKilled() {
        return Files.exists(root.resolve("sheaf.db-wal"));
    }

    Path root() {
        return root;
    }

    Path database() {
        return root.resolve("sheaf.db");
    }

    Path content() {
        return root.resolve("content");
    }

    Path masterKey() {
        return root.resolve("secrets").resolve("master-key");
    }

    /// Bytes on their way to a bucket.
    Path spools() {
        return root.resolve("spool");
    }

    /// Where backups go that nobody sent elsewhere.
    Path backups() {
        return root.resolve("backups");
    }

    Path bootstrapKey() {
        return root.resolve("bootstrap").resolve("admin-api-key");
    }

    /// The master secret, made at the first start.
    MasterSecret masterSecret() {
        Path file = masterKey();
        try {
            if (!Files.exists(file)) {
                writeSecret(file, MasterSecret.generate());
            }
            return MasterSecret.parse(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw unusable(root, e);
        } catch (IllegalArgumentException e) {
            throw new StartException(
                    Exit.DATA_DIR_UNUSABLE, file + " is damaged; restore it from a backup, or no API key will work");
        }
    }

    /// Puts the first key where its operator finds it.
    void keepBootstrapKey(Secret key) {
        try {
            writeSecret(bootstrapKey(), key.expose());
        } catch (IOException e) {
            throw unusable(root, e);
        }
    }

    /// Writes a file that only its owner can read, durable before this returns.
    private static void writeSecret(Path file, String text) throws IOException {
        Path folder = file.getParent();
        if (folder == null) {
            throw new IOException(file + " has no folder");
        }
        createPrivately(folder);
        Path temp = folder.resolve(file.getFileName() + ".new");
        Files.deleteIfExists(temp);
        var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (var channel =
                FileChannel.open(temp, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), mode)) {
            channel.write(ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.US_ASCII)));
            channel.force(true);
        }
        Files.move(temp, file, StandardCopyOption.ATOMIC_MOVE);
        try (var directory = FileChannel.open(folder, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    @Override
    public void close() {
        try {
            lockFile.close();
        } catch (IOException e) {
            // the lock ends with the process in any case
        }
    }
}
