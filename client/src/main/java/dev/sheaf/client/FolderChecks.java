package dev.sheaf.client;

import dev.sheaf.client.Doctor.Check;
import dev.sheaf.client.Doctor.State;
import dev.sheaf.client.api.Blob;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.cache.BlobCache;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.io.OwnerOnly;
import dev.sheaf.client.io.ShellWord;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// The doctor's checks of folders on this machine.
final class FolderChecks {
    /// The time limit for reading the cache, which may be large.
    private static final Duration LONGEST_READ = Duration.ofSeconds(5);

    private FolderChecks() {}

    /// Checks that the cache is writable and its content intact.
    static Check cache(Path cache) {
        var check = folder("cache", cache);
        if (check.state() != State.OK) {
            return check;
        }
        try {
            var entries = Cache.at(cache).entries();
            long size = entries.stream().mapToLong(Cache.Entry::size).sum();
            String detail = check.detail() + ", " + entries.size() + " entries, " + size + " bytes";
            return read(cache, entries, detail);
        } catch (SheafException e) {
            return Check.failed(
                    "cache",
                    String.valueOf(e.getMessage()),
                    "you can delete it: everything in it can be fetched again");
        } catch (IOException e) {
            return Check.failed(
                    "cache",
                    "cannot be read: " + e.getMessage(),
                    "you can delete it: everything in it can be fetched again");
        }
    }

    private static String variable(String name) {
        return switch (name) {
            case "cache" -> "SHEAF_CACHE_DIR";
            case "data" -> "XDG_DATA_HOME";
            default -> "XDG_CONFIG_HOME";
        };
    }

    /// Reads entries, most recently used first, until the time limit. Reading removes damaged entries.
    private static Check read(Path cache, List<Cache.Entry> entries, String detail) throws IOException {
        var blobs = new BlobCache(cache);
        long end = System.nanoTime() + LONGEST_READ.toNanos();
        int damaged = 0;
        int read = 0;
        for (var entry : entries.reversed()) {
            if (System.nanoTime() >= end) {
                break;
            }
            var blob = new Blob(entry.digest(), entry.size());
            damaged += blobs.copy(blob, OutputStream.nullOutputStream()) ? 0 : 1;
            read++;
        }
        String part = read == entries.size() ? "" : " (" + read + " of them were read)";
        return damaged == 0
                ? Check.ok("cache", detail + part)
                : Check.warning(
                        "cache",
                        detail + ", " + damaged + " were damaged and have been removed" + part,
                        "the next pull fetches them again; if this happens repeatedly, check the disk");
    }

    /// Checks that files can be stored in a folder and that only the user can read them.
    static Check folder(String name, Path folder) {
        var unwritable = DiskFailures.unwritable(folder);
        if (unwritable.isPresent()) {
            return Check.failed(
                    name,
                    folder + " cannot be used: " + unwritable.get(),
                    "change that, or choose another place with " + variable(name));
        }
        try {
            boolean open = Files.isDirectory(folder) && !name.equals("settings") && !OwnerOnly.holdsFor(folder);
            return open
                    ? Check.warning(name, folder + " can be read by others", "chmod 700 " + ShellWord.of(folder))
                    : Check.ok(name, folder.toString());
        } catch (IOException e) {
            return Check.warning(
                    name,
                    "the permissions of " + folder + " cannot be checked: its file system does not support them",
                    null);
        }
    }
}
