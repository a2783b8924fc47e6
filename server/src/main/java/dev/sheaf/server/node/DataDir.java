package dev.sheaf.server.node;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.blob.PrivateFiles;
import dev.sheaf.server.config.Exit;
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

/// The folder that holds everything of one node, locked against a second process while this one runs.
public final class DataDir implements AutoCloseable {
    private final Path root;
    private final @Nullable FileChannel lockFile;

    private DataDir(Path root, @Nullable FileChannel lockFile) {
        this.root = root;
        this.lockFile = lockFile;
    }

    /// Opens the folder, and closes it to other users of the machine.
    ///
    /// @throws StartException where the folder cannot be written, others can enter it, or another process has it
    public static DataDir open(Path root) {
        try {
            PrivateFiles.folder(root);
            if (!PrivateFiles.close(root)) {
                throw new StartException(
                        Exit.DATA_DIR_UNUSABLE,
                        "other users of this machine can enter the data directory " + root
                                + ", which is not this user's; give it to this user (chown), make it private (chmod 700),"
                                + " or choose another with --data-dir");
            }
            return new DataDir(root, locked(root, StandardOpenOption.CREATE));
        } catch (IOException e) {
            throw unusable(root, e);
        }
    }

    /// Looks at the folder, which may be missing, and changes nothing there. It is locked as by [#open] where
    /// somebody had it before.
    ///
    /// @throws StartException where it could not be opened
    public static DataDir look(Path root) {
        try {
            Path there = root.toAbsolutePath();
            while (!Files.exists(there) && there.getParent() != null) {
                there = there.getParent();
            }
            if (!Files.isDirectory(there) || !Files.isWritable(there)) {
                throw new IOException(there + " is no folder that this user can write to");
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
                    Exit.DATA_DIR_LOCKED,
                    "the data directory " + root
                            + " is in use by another process; stop that one, or choose another with --data-dir");
        }
        return channel;
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

    public Path root() {
        return root;
    }

    Path database() {
        return root.resolve("sheaf.db");
    }

    /// The file of the embedded database, made where it is missing, so that nobody else can read it and what
    /// SQLite puts beside it.
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

    /// Bytes on their way to a bucket.
    Path spools() {
        return root.resolve("spool");
    }

    /// What can be made again at any time.
    Path cache(String name) {
        return root.resolve("cache").resolve(name);
    }

    /// Where backups go that nobody sent elsewhere.
    public Path backups() {
        return root.resolve("backups");
    }

    public Path bootstrapKey() {
        return root.resolve("bootstrap").resolve("admin-api-key");
    }

    /// The master secret, made at the first start.
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

    /// The master secret, where there is one.
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
                    Exit.DATA_DIR_UNUSABLE, file + " is damaged; restore it from a backup, or no API key will work");
        }
    }

    /// Puts the first key where its operator finds it.
    public void keepBootstrapKey(Secret key) {
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
