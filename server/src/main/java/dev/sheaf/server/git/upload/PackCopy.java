package dev.sheaf.server.git.upload;

import dev.sheaf.server.git.repository.BareRepository;
import dev.sheaf.server.git.repository.PackEntries;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.transport.PacketLineOut;
import org.eclipse.jgit.transport.SideBandOutputStream;

/// Sends a planned pack: what JGit wrote before the objects, then each object as it is in the repository's packs, which
/// have no deltas. A pack of any size takes little memory. Each object is compared with the checksum of its pack's
/// index before the end is sent.
public final class PackCopy {
    private static final int BUFFER = 64 << 10;

    private final PackPlan plan;
    private final BareRepository repository;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);

    /// Thrown if an object of the repository is damaged or missing.
    public static final class DamagedException extends IOException {
        private static final long serialVersionUID = 1;

        DamagedException(String what) {
            super(what);
        }
    }

    public PackCopy(PackPlan plan, BareRepository repository) {
        this.plan = plan;
        this.repository = repository;
    }

    /// @param notices lines for the user, which git prints after `remote:`; lost on a client without a side band
    /// @throws DamagedException if an object cannot be read. The client was told if it has a side band
    /// @throws IOException if the client stops reading
    public void writeTo(OutputStream out, List<String> notices) throws IOException {
        int band = plan.band();
        out.write(plan.start());
        if (band == 0) {
            write(out);
            return;
        }
        var messages = new SideBandOutputStream(SideBandOutputStream.CH_PROGRESS, SideBandOutputStream.SMALL_BUF, out);
        for (String notice : notices) {
            messages.write((notice + "\n").getBytes(StandardCharsets.UTF_8));
            messages.flush();
        }
        var pack = new SideBandOutputStream(SideBandOutputStream.CH_DATA, band, out);
        try {
            write(pack);
            pack.flush();
        } catch (DamagedException e) {
            var error = new SideBandOutputStream(SideBandOutputStream.CH_ERROR, SideBandOutputStream.SMALL_BUF, out);
            error.write("the registry's copy for git is damaged and will be made again; try again\n"
                    .getBytes(StandardCharsets.UTF_8));
            error.flush();
            throw e;
        }
        new PacketLineOut(out).end();
    }

    private void write(OutputStream out) throws IOException {
        MessageDigest sum = Constants.newMessageDigest();
        sum.update(plan.header());
        var pack = new DigestOutputStream(out, sum);
        var files = new HashMap<Path, FileChannel>();
        try {
            var packs = repository.entries();
            for (int i = 0; i < plan.objects(); i++) {
                var id = plan.id(i);
                var place = PackEntries.find(packs, id);
                copy(place.orElseThrow(() -> new DamagedException(id.name() + " is missing")), files, pack);
            }
        } finally {
            for (var file : files.values()) {
                file.close();
            }
        }
        out.write(sum.digest());
    }

    private void copy(PackEntries.Place place, Map<Path, FileChannel> files, OutputStream out) throws IOException {
        Path path = place.pack().file();
        var crc = new CRC32();
        for (long done = 0; done < place.length(); ) {
            buffer.clear().limit((int) Math.min(BUFFER, place.length() - done));
            try {
                var file = files.get(path);
                if (file == null) {
                    file = FileChannel.open(path);
                    files.put(path, file);
                }
                while (buffer.hasRemaining()) {
                    if (file.read(buffer, place.from() + done + buffer.position()) < 0) {
                        throw new EOFException();
                    }
                }
            } catch (IOException e) {
                throw damaged(path, place);
            }
            crc.update(buffer.array(), 0, buffer.limit());
            done += buffer.limit();
            if (done == place.length() && crc.getValue() != place.crc()) {
                throw damaged(path, place);
            }
            out.write(buffer.array(), 0, buffer.limit());
        }
    }

    private static DamagedException damaged(Path path, PackEntries.Place place) {
        return new DamagedException("the object at " + place.from() + " of " + path + " is damaged");
    }
}
