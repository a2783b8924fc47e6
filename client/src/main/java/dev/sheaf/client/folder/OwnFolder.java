package dev.sheaf.client.folder;

import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.FileModes;
import dev.sheaf.client.io.OwnerOnly;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The client's own folder in a [TargetFolder]. Files are collected in it and then renamed into place. [#close]
/// removes the remaining files.
///
/// ```
/// .sheaf/pulled.json    the files written by pulls, see Receipt
/// .sheaf/staging-…      the files collected by a running pull
/// .sheaf/lock           locked by a running pull, see FolderLock
/// ```
public final class OwnFolder implements AutoCloseable {
    /// The folder's name. Bundles cannot write to this folder.
    public static final String NAME = ".sheaf";

    private static final String STAGING = "staging-";
    private static final long LONGEST_RECEIPT = 16 << 20;

    private final TargetFolder target;
    private final Path own;
    private final Map<Asset, Path> staged = new LinkedHashMap<>();
    private @Nullable Path staging;

    OwnFolder(TargetFolder target) {
        this.target = target;
        this.own = target.root().resolve(NAME);
    }

    /// Returns the record of earlier pulls; empty if it is unreadable.
    PullReceipt receipt() throws IOException {
        Path file = own.resolve("pulled.json");
        if (!TargetFolder.isFolder(own) || !TargetFolder.isFile(file) || Files.size(file) > LONGEST_RECEIPT) {
            return PullReceipt.EMPTY;
        }
        return PullReceipt.parse(Files.readAllBytes(file));
    }

    void note(PullReceipt receipt) throws IOException {
        make(own);
        Path fresh = Files.createTempFile(own, STAGING, "");
        try {
            Files.write(fresh, receipt.bytes());
            OwnerOnly.shareAsUsual(fresh);
            target.move(fresh, own.resolve("pulled.json"));
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    static void make(Path own) throws IOException {
        if (TargetFolder.exists(own) && !TargetFolder.isFolder(own)) {
            throw new SheafException.Local(
                    own + " is in the way: it must be a folder, because pulls keep their records there", null);
        }
        Files.createDirectories(own);
    }

    /// Creates a file for the asset's content outside of its final place.
    OutputStream stage(Asset asset) throws IOException {
        if (staging == null) {
            make(own);
            staging = Files.createTempDirectory(own, STAGING);
        }
        Path file = staging.resolve(Integer.toString(staged.size()));
        staged.put(asset, file);
        return FileModes.create(file, Boolean.TRUE.equals(asset.executable()));
    }

    /// Moves the staged files into place, each atomically.
    void commit() throws IOException {
        for (var entry : staged.entrySet()) {
            Path place = target.place(entry.getKey().path());
            Path obstacle = target.obstacle(place);
            if (obstacle != null || (TargetFolder.exists(place) && !TargetFolder.isFile(place))) {
                throw TargetFolder.inTheWay(obstacle == null ? place : obstacle);
            }
            target.move(entry.getValue(), place);
        }
        staged.clear();
    }

    /// Removes the staged files of killed pulls. Must not be called while another pull is working in the
    /// folder.
    void removeLeftovers() throws IOException {
        if (!TargetFolder.isFolder(own)) {
            return;
        }
        try (DirectoryStream<Path> left = Files.newDirectoryStream(own, STAGING + "*")) {
            for (Path path : left) {
                target.removeAll(path);
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (staging == null) {
            return;
        }
        target.removeAll(staging);
        staging = null;
        removeEmpty(own);
    }

    /// Removes the client's own folder if it is empty.
    static void removeEmpty(Path own) {
        try {
            Files.deleteIfExists(own);
        } catch (IOException e) {
            // it contains records, or cannot be removed
        }
    }
}
