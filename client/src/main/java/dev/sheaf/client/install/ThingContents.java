package dev.sheaf.client.install;

import dev.sheaf.client.folder.TargetFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.Map;

/// The contents of things: of those that are to be written, and of those that are here.
record ThingContents(TargetFolder folder, InstallContents stock) {
    String text(LockedBundle.Placed placed, Map.Entry<String, BundlePart.Piece> file, int most) throws IOException {
        return new String(beginning(placed, file, most), StandardCharsets.UTF_8);
    }

    /// Returns the beginning of a file, from what is to be written or from the file that is here, edited or not; empty
    /// if it is neither.
    byte[] beginning(LockedBundle.Placed placed, Map.Entry<String, BundlePart.Piece> file, int most)
            throws IOException {
        if (stock.has(file.getValue().digest())) {
            var beginning = new Beginning(most);
            stock.copy(file.getValue().digest(), beginning);
            return beginning.bytes.toByteArray();
        }
        return here(placed, file, most);
    }

    /// Returns the beginning of the file that is here, edited or not; empty if there is none.
    byte[] here(LockedBundle.Placed placed, Map.Entry<String, BundlePart.Piece> file, int most) throws IOException {
        for (String place : placed.places()) {
            var at = folder.place(BundlePart.file(place, file.getKey()));
            if (folder.obstacle(at) == null && Files.isRegularFile(at, LinkOption.NOFOLLOW_LINKS)) {
                try (var in = Files.newInputStream(at, LinkOption.NOFOLLOW_LINKS)) {
                    return in.readNBytes(most);
                }
            }
        }
        return new byte[0];
    }

    /// Keeps the first bytes of what is written to it.
    private static final class Beginning extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final int most;

        Beginning(int most) {
            this.most = most;
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] some, int from, int count) {
            bytes.write(some, from, Math.min(count, most - bytes.size()));
        }
    }
}
