package dev.sheaf.engine.blob;

import dev.sheaf.model.Problem;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/// Keeps a part of the disk free.
public record DiskRoom(Path root, FileStore disk, long minimumFree) {
    public static DiskRoom of(Path root, long minimumFree) {
        return new DiskRoom(root, DiskCalls.PLAIN.call("measure", root, () -> Files.getFileStore(root)), minimumFree);
    }

    /// @throws dev.sheaf.model.ProblemException storage-full if `bytes` more would leave less than the minimum
    public void check(long bytes) {
        long usable = DiskCalls.PLAIN.call("measure", root, disk::getUsableSpace);
        if (usable - bytes < minimumFree) {
            throw new Problem.StorageFull().raise();
        }
    }
}
