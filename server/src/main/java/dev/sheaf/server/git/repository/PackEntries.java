package dev.sheaf.server.git.repository;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.internal.storage.file.Pack;
import org.eclipse.jgit.internal.storage.file.PackIndex;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.Constants;

/// Where the objects of a pack are in its file. Immutable.
///
/// @param starts where each entry begins, in order, and where the last one ends
public record PackEntries(Path file, PackIndex index, long[] starts) {
    /// The bytes of an object in a pack: its header and its zlib stream.
    public record Place(PackEntries pack, long from, long length, long crc) {}

    static PackEntries of(Pack pack) throws IOException {
        var index = pack.getIndex();
        var starts = new long[Math.toIntExact(index.getObjectCount()) + 1];
        for (int i = 0; i < starts.length - 1; i++) {
            starts[i] = index.getOffset(i);
        }
        Path file = pack.getPackFile().toPath();
        starts[starts.length - 1] = Files.size(file) - Constants.OBJECT_ID_LENGTH;
        Arrays.sort(starts);
        return new PackEntries(file, index, starts);
    }

    /// Returns where an object is in one of these packs.
    public static Optional<Place> find(List<PackEntries> packs, AnyObjectId id) throws IOException {
        for (var pack : packs) {
            var place = pack.find(id);
            if (place.isPresent()) {
                return place;
            }
        }
        return Optional.empty();
    }

    private Optional<Place> find(AnyObjectId id) throws IOException {
        long from = index.findOffset(id);
        int at = from < 0 ? -1 : Arrays.binarySearch(starts, from);
        return at < 0 || at + 1 >= starts.length
                ? Optional.empty()
                : Optional.of(new Place(this, from, starts[at + 1] - from, index.findCRC32(id)));
    }
}
