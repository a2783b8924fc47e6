package dev.sheaf.server.maintenance.backup;

import dev.sheaf.model.Digest;
import java.util.Arrays;

/// Digests by their first 64 bits, in 8 bytes each: of millions it says at times that one is there that is not, and
/// never the other way round.
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

    /// To be called once everything is added.
    void sort() {
        Arrays.sort(prefixes, 0, size);
    }

    /// @param file the name of an object's file; of any other it is true
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
