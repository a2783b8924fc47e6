package dev.sheaf.server.queue;

import dev.sheaf.engine.db.DataChange;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A notice that a job of a queue may be ready to claim.
///
/// @param habitat null if the queue is not known
/// @param queue null if any queue of the organization may have such a job
/// @param isTimed whether the due time of a job or schedule has changed too
public record JobSignal(
        UUID organization, @Nullable UUID habitat, @Nullable UUID queue, boolean isTimed) {
    private static final String TIMED = "timed";

    /// Returns the form in which the notice is sent to other nodes.
    String encode() {
        return organization + " " + habitat + " " + queue + (isTimed ? " " + TIMED : "");
    }

    /// Returns the notice for a queue.
    public static JobSignal of(QueueRow queue) {
        return new JobSignal(queue.organizationId(), queue.habitatId(), queue.id(), false);
    }

    /// Returns the same notice, with a changed due time.
    public JobSignal timed() {
        return new JobSignal(organization, habitat, queue, true);
    }

    /// Returns the change that a transaction announces.
    public DataChange change() {
        return new DataChange(DataChange.Kind.QUEUE, encode());
    }

    /// Reads the output of [#encode]; null for any other text.
    public static @Nullable JobSignal decode(String text) {
        String[] ids = text.split(" ");
        try {
            boolean isTimed = ids.length == 4 && ids[3].equals(TIMED);
            return ids.length == 3 || isTimed
                    ? new JobSignal(UUID.fromString(ids[0]), UUID.fromString(ids[1]), UUID.fromString(ids[2]), isTimed)
                    : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
