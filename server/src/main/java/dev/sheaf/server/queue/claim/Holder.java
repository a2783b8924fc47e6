package dev.sheaf.server.queue.claim;

import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.org.key.KeyLineage;

/// Who holds a job: a principal, which is a key with those that it was rotated to, a person, or a trusted publisher.
final class Holder {
    private static final String KEY = "key:";

    private Holder() {}

    /// As rows have it.
    static String of(Caller.Known caller) {
        return caller.actor();
    }

    /// Whether a caller is the principal that a row names.
    static boolean is(Tx tx, String holder, Caller.Known caller) {
        String actor = caller.actor();
        return actor.equals(holder)
                || holder.startsWith(KEY)
                        && actor.startsWith(KEY)
                        && KeyLineage.descends(tx, caller.credential().id(), holder.substring(KEY.length()));
    }
}
