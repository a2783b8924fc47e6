package dev.sheaf.server.git.upload;

import dev.sheaf.model.Problem;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.eclipse.jgit.internal.storage.pack.ObjectToPack;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.transport.SideBandOutputStream;

/// The plan of an answer: everything before the objects of a pack, and the ids of the objects in order. Immutable.
public final class PackPlan {
    /// Bytes of a pack's header: signature, version, number of objects.
    private static final int HEADER = 12;

    private final byte[] start;
    private final byte[] ids;
    private final int band;
    private final Set<ObjectId> wanted;
    private final Set<ObjectId> had;

    /// @param start ends with the header of the pack
    /// @param ids concatenated
    /// @param band the number of bytes of each side-band packet; 0 without a side band
    /// @param wanted the ids that the client asked for
    /// @param had the commits that the client named as its own
    private PackPlan(byte[] start, byte[] ids, int band, Set<ObjectId> wanted, Set<ObjectId> had) {
        this.start = start;
        this.ids = ids;
        this.band = band;
        this.wanted = Set.copyOf(wanted);
        this.had = Set.copyOf(had);
    }

    byte[] start() {
        return start;
    }

    byte[] header() {
        return Arrays.copyOfRange(start, start.length - HEADER, start.length);
    }

    int band() {
        return band;
    }

    public Set<ObjectId> wanted() {
        return wanted;
    }

    public Set<ObjectId> had() {
        return had;
    }

    public int objects() {
        return ids.length / Constants.OBJECT_ID_LENGTH;
    }

    ObjectId id(int index) {
        return ObjectId.fromRaw(ids, index * Constants.OBJECT_ID_LENGTH);
    }

    /// Records the pack that JGit would write.
    static final class Recorder {
        private final int most;
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final ByteArrayOutputStream ids = new ByteArrayOutputStream();
        private int counted;
        private int start = -1;

        /// @param most the maximum number of objects
        Recorder(int most) {
            this.most = most;
        }

        /// Returns the stream to which JGit writes its own output.
        ByteArrayOutputStream out() {
            return out;
        }

        /// Counts an object.
        ///
        /// @throws TooManyObjects if the limit is exceeded
        void count() {
            if (++counted > most) {
                throw new TooManyObjects();
            }
        }

        void add(List<ObjectToPack> objects) {
            if (start < 0) {
                start = out.size();
            }
            byte[] raw = new byte[Constants.OBJECT_ID_LENGTH];
            for (var object : objects) {
                object.copyRawTo(raw, 0);
                ids.writeBytes(raw);
            }
        }

        boolean hasPack() {
            return start >= 0;
        }

        /// Returns JGit's whole output if there is no object to send.
        byte[] output() {
            return out.toByteArray();
        }

        /// @param large whether the client takes large packets
        PackPlan plan(boolean large, Set<ObjectId> wanted, Set<ObjectId> had) {
            byte[] before = Arrays.copyOf(out.toByteArray(), start);
            if (before.length < HEADER) {
                throw new Problem.Internal().raise();
            }
            boolean banded = before.length > HEADER && before[before.length - HEADER - 1] == 1;
            int band = banded ? large ? SideBandOutputStream.MAX_BUF : SideBandOutputStream.SMALL_BUF : 0;
            return new PackPlan(before, ids.toByteArray(), band, wanted, had);
        }
    }

    /// Thrown if there are more objects than the limit.
    static final class TooManyObjects extends RuntimeException {
        TooManyObjects() {
            super("too many objects for the memory of this request", null, false, false);
        }
    }
}
