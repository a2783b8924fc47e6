package dev.sheaf.server.blob;

import dev.sheaf.model.Problem;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/// Keeps a part of the disk free.
record DiskRoom(Path root, FileStore disk, long minimumFree) {
    static DiskRoom of(Path root, long minimumFree) {
        return new DiskRoom(root, Disk.PLAIN.call("measure", root, () -> Files.getFileStore(root)), minimumFree);
    }

    /// @throws dev.sheaf.model.ProblemException storage-full where `bytes` more would leave less than the minimum
    void check(long bytes) {
        long usable = Disk.PLAIN.call("measure", root, disk::getUsableSpace);
        if (usable - bytes < minimumFree) {
            throw new Problem.StorageFull().raise();
        }
    }
}
