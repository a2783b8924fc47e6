package dev.sheaf.server.node;

import dev.sheaf.engine.blob.PrivateFiles;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.config.FileFailure;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.StartException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The data directory of a node. It is locked against other processes while the node runs.
public final class DataDir implements AutoCloseable {
    private final Path root;
    private final @Nullable FileChannel lockFile;

    private DataDir(Path root, @Nullable FileChannel lockFile) {
        this.root = root;
        this.lockFile = lockFile;
    }

    /// Opens the directory, and denies access to other users of the machine.
    ///
    /// @throws StartException if the directory cannot be written, other users can enter it, or another process
    /// uses it
    public static DataDir open(Path root) {
        try {
            PrivateFiles.folder(root);
            if (!PrivateFiles.close(root)) {
                throw new StartException(
                        ServerExit.DATA_DIR_UNUSABLE,
                        "other users of this machine can enter the data directory " + root
                                + ", which belongs to another user; give it to this user (chown), make it private (chmod 700),"
                                + " or choose another with --data-dir");
            }
            return new DataDir(root, locked(root, StandardOpenOption.CREATE));
        } catch (IOException e) {
            throw unusable(root, e);
        }
    }

    /// Checks the directory, which may be missing, without changing it. If it was used before, it is locked as
    /// by [#open].
    ///
    /// @throws StartException if [#open] would fail
    public static DataDir look(Path root) {
        try {
            Path there = root.toAbsolutePath();
            while (!Files.exists(there) && there.getParent() != null) {
                there = there.getParent();
            }
            if (!Files.isDirectory(there) || !Files.isWritable(there)) {
                throw new IOException(there + " is not a directory that this user can write to");
            }
            return new DataDir(root, Files.exists(root.resolve("lock")) ? locked(root) : null);
        } catch (IOException e) {
            throw unusable(root, e);
        }
    }

    private static FileChannel locked(Path root, OpenOption... options) throws IOException {
        var all = new ArrayList<>(List.of(options));
        all.add(StandardOpenOption.WRITE);
        var channel = PrivateFiles.open(root.resolve("lock"), all.toArray(OpenOption[]::new));
        if (tryLock(channel) == null) {
            channel.close();
            throw new StartException(
                    ServerExit.DATA_DIR_LOCKED,
                    "the data directory " + root
                            + " is in use by another process; stop that one, or choose another with --data-dir");
        }
        return channel;
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // this process holds the lock
        }
    }

    private static StartException unusable(Path root, IOException e) {
        return new StartException(
                ServerExit.DATA_DIR_UNUSABLE,
                "the data directory " + root + " cannot be written: " + FileFailure.words(e)
                        + "; create it, give this user the right to write there, or choose another with --data-dir");
    }

    /// Returns whether the last process ended without closing the database.
    boolean wasKilled() {
        return Files.exists(root.resolve("sheaf.db-wal"));
    }

    public Path root() {
        return root;
    }

    Path database() {
        return database(root);
    }

    /// Returns the file of the embedded database in a data directory.
    public static Path database(Path root) {
        return root.resolve("sheaf.db");
    }

    /// Returns the file of the embedded database. Creates it if it is missing, so that other users can read
    /// neither this file nor the files that SQLite adds.
    Path madeDatabase() {
        try {
            PrivateFiles.touch(database());
        } catch (IOException e) {
            throw unusable(root, e);
        }
        return database();
    }

    Path content() {
        return root.resolve("content");
    }

    public Path masterKey() {
        return root.resolve("secrets").resolve("master-key");
    }

    /// Returns the directory for content that is being sent to a bucket.
    Path spools() {
        return root.resolve("spool");
    }

    /// Returns a directory for files that can be recreated at any time.
    Path cache(String name) {
        return root.resolve("cache").resolve(name);
    }

    /// Returns the default directory for removed entries of the audit log.
    public Path auditArchive() {
        return root.resolve("audit");
    }

    /// Returns the default directory for backups.
    public Path backups() {
        return backups(root);
    }

    /// Returns the default directory for backups in a data directory.
    public static Path backups(Path root) {
        return root.resolve("backups");
    }

    public Path bootstrapKey() {
        return root.resolve("bootstrap").resolve("admin-api-key");
    }

    /// Returns the master secret. Creates it at the first start.
    MasterSecret masterSecret() {
        Path file = masterKey();
        try {
            if (!Files.exists(file)) {
                writeSecret(file, MasterSecret.generate());
            }
            return keptMasterSecret().orElseThrow();
        } catch (IOException e) {
            throw unusable(root, e);
        }
    }

    /// Returns the stored master secret; empty if there is none.
    public Optional<MasterSecret> keptMasterSecret() {
        Path file = masterKey();
        try {
            return Files.exists(file)
                    ? Optional.of(MasterSecret.parse(Files.readString(file, StandardCharsets.ISO_8859_1)))
                    : Optional.empty();
        } catch (IOException e) {
            throw unusable(root, e);
        } catch (IllegalArgumentException e) {
            throw new StartException(
                    ServerExit.DATA_DIR_UNUSABLE,
                    file + " is damaged; restore it from a backup, or no API key will work");
        }
    }

    /// Stores the first key in the file where the operator looks for it.
    public void keepBootstrapKey(Secret key) {
        try {
            writeSecret(bootstrapKey(), key.expose());
        } catch (IOException e) {
            throw unusable(root, e);
        }
    }

    /// Writes a file that only its owner can read, and returns once it is durable.
    private static void writeSecret(Path file, String text) throws IOException {
        Path folder = file.getParent();
        if (folder == null) {
            throw new IOException(file + " has no parent directory");
        }
        PrivateFiles.folder(folder);
        Path temp = folder.resolve(file.getFileName() + ".new");
        Files.deleteIfExists(temp);
        try (var channel = PrivateFiles.open(temp, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
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
            if (lockFile != null) {
                lockFile.close();
            }
        } catch (IOException e) {
            // the lock ends with the process in any case
        }
    }
}
