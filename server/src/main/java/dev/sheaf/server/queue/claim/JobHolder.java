package dev.sheaf.server.queue.claim;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.org.key.KeyLineage;

/// The holder of a job: a person, a trusted publisher, or a key, including the keys that replaced it by
/// rotation.
final class JobHolder {
    private static final String KEY = "key:";

    private JobHolder() {}

    /// Returns the stored form.
    static String of(Caller.Known caller) {
        return caller.actor();
    }

    /// Returns whether a caller is the stored holder.
    static boolean is(Tx tx, String holder, Caller.Known caller) {
        String actor = caller.actor();
        return actor.equals(holder)
                || holder.startsWith(KEY)
                        && actor.startsWith(KEY)
                        && KeyLineage.descends(tx, caller.credential().id(), holder.substring(KEY.length()));
    }
}
