package dev.sheaf.server.maintenance.backup;

import dev.sheaf.model.Digest;
import java.util.Arrays;

/// A set of digests that stores only the first 64 bits of each. It may rarely report a digest that is not in
/// it, but never misses one that is.
final class DigestSet {
    private static final int HEX = 16;
    private long[] prefixes = new long[1_024];
    private int size;

    void add(Digest digest) {
        if (size == prefixes.length) {
            prefixes = Arrays.copyOf(prefixes, size * 2);
        }
        prefixes[size++] = Long.parseUnsignedLong(digest.hex().substring(0, HEX), HEX);
    }

    /// Sorts the digests. Call it after the last one was added.
    void sort() {
        Arrays.sort(prefixes, 0, size);
    }

    /// @param file the name of an object's file; for a finished file with a different name the result is true
    boolean contains(String file) {
        try {
            var digest = Digest.parse(file.replace('-', ':'));
            return Arrays.binarySearch(
                            prefixes,
                            0,
                            size,
                            Long.parseUnsignedLong(digest.hex().substring(0, HEX), HEX))
                    >= 0;
        } catch (RuntimeException e) {
            return !file.endsWith(Backup.UNFINISHED);
        }
    }
}
