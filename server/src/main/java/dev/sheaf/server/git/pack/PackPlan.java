package dev.sheaf.server.git.pack;

import dev.sheaf.model.Problem;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.eclipse.jgit.internal.storage.pack.ObjectToPack;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;

/// What is to be sent: all that comes before the objects of a pack, and the names of these in their order.
/// Immutable.
public final class PackPlan {
    /// Of a pack, at its begin: the word, the version, how many objects follow.
    private static final int HEADER = 12;

    private final byte[] start;
    private final byte[] ids;
    private final int payload;
    private final Set<ObjectId> wanted;

    /// @param start ends with the header of the pack
    /// @param ids one after the other
    /// @param payload how many bytes of the pack a packet of the side band holds; 0: there is no side band
    /// @param wanted what the client asked for by name
    private PackPlan(byte[] start, byte[] ids, int payload, Set<ObjectId> wanted) {
        this.start = start;
        this.ids = ids;
        this.payload = payload;
        this.wanted = Set.copyOf(wanted);
    }

    byte[] start() {
        return start;
    }

    byte[] header() {
        return Arrays.copyOfRange(start, start.length - HEADER, start.length);
    }

    int payload() {
        return payload;
    }

    public Set<ObjectId> wanted() {
        return wanted;
    }

    public int objects() {
        return ids.length / Constants.OBJECT_ID_LENGTH;
    }

    ObjectId id(int index) {
        return ObjectId.fromRaw(ids, index * Constants.OBJECT_ID_LENGTH);
    }

    /// Notes what JGit would write.
    static final class Recorder {
        private static final int SIDE_BAND = 65_515;
        private static final int SMALL_SIDE_BAND = 995;

        private final int most;
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final ByteArrayOutputStream ids = new ByteArrayOutputStream();
        private int counted;
        private int start = -1;

        /// @param most objects that there is room for
        Recorder(int most) {
            this.most = most;
        }

        /// Where JGit writes what it says itself.
        ByteArrayOutputStream out() {
            return out;
        }

        /// One more object.
        ///
        /// @throws TooManyObjects where there is no room for it
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

        /// All that JGit said where there is no object to send.
        byte[] said() {
            return out.toByteArray();
        }

        /// @param large whether the client takes large packets
        PackPlan plan(boolean large, Set<ObjectId> wanted) {
            byte[] before = Arrays.copyOf(out.toByteArray(), start);
            if (before.length < HEADER) {
                throw new Problem.Internal().raise();
            }
            boolean banded = before.length > HEADER && before[before.length - HEADER - 1] == 1;
            return new PackPlan(before, ids.toByteArray(), banded ? large ? SIDE_BAND : SMALL_SIDE_BAND : 0, wanted);
        }
    }

    /// There are more objects than was said.
    static final class TooManyObjects extends RuntimeException {
        TooManyObjects() {
            super("more objects than there is room for", null, false, false);
        }
    }
}
