package dev.sheaf.engine.blob;

import dev.sheaf.model.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Stores bytes as write-once objects, which are built as drafts. It knows nothing about repositories and
/// rights; an object is only visible through a committed row that names it.
///
/// Thread-safe, except that a draft has one writer at a time. A store that cannot work at the moment throws a
/// [dev.sheaf.model.ProblemException]: storage-full if there is no room, otherwise unavailable.
public interface BlobStore {
    /// Checks cheaply whether the store can be reached.
    ///
    /// @throws dev.sheaf.model.ProblemException unavailable if it cannot
    void probe();

    /// Returns whether calls are refused at once because the store is known not to answer.
    default boolean isRefusing() {
        return false;
    }

    /// Returns the installation to which the store belongs, by its mark; empty if it has none.
    Optional<String> mark();

    /// Sets the mark, if the store has another one or none. Without this mark, as after another folder was mounted in
    /// its place, it is unknown which objects the store has: [#open] then fails instead of finding them missing.
    void mark(String installation);

    /// Describes where the mark is, for people.
    String markPlace();

    /// Refuses content for which there is no room, before any of it is accepted.
    ///
    /// @param bytes the announced length; 0 if it is unknown
    /// @throws dev.sheaf.model.ProblemException storage-full
    void admit(long bytes);

    /// Begins an empty draft.
    DraftId begin();

    /// Writes the whole stream into a draft at `offset`, after truncating the draft to it: a failed append may
    /// have left bytes there. The added bytes are only visible to this process until [#sync] or [#complete].
    ///
    /// @param offset bytes that the draft must already hold
    /// @return the number of bytes read from the stream
    /// @throws IOException if `content` fails; bytes that were not synced may then be lost
    /// @throws DraftLostException if the draft does not hold `offset` bytes
    long append(DraftId draft, long offset, InputStream content) throws IOException;

    /// Makes everything appended so far survive a power loss.
    ///
    /// @return the draft with which any process can continue; the given draft continues without those bytes
    DraftId sync(DraftId draft);

    /// Drops the bytes that were appended to a draft but neither synced nor completed.
    void leave(DraftId draft);

    /// Frees everything that only `dropped` needs, where both are states of the same draft. Call it once it is
    /// certain that `kept` is the valid state.
    void release(DraftId dropped, DraftId kept);

    /// Returns whether all processes that complete this draft get the same object. Such an object belongs to the
    /// draft until a row names it and is removed by [#abort]; it must not be deleted on its own.
    boolean isShared(DraftId draft);

    /// Returns the whole content of a small draft.
    ///
    /// @param length bytes that the draft must hold; they must fit into memory
    /// @throws DraftLostException if it holds another number of bytes
    byte[] read(DraftId draft, int length);

    /// Turns a draft into an object that survives a power loss. Completing the same draft again under the same
    /// digest returns the same object.
    ///
    /// @param length bytes that the draft must hold
    /// @throws DraftLostException if it holds another number of bytes
    ObjectId complete(DraftId draft, Digest digest, long length);

    /// Undoes a [#complete] whose object no committed row names, so that the draft can be completed again. Does
    /// nothing if the draft was not completed.
    void reopen(DraftId draft, Digest digest);

    /// Returns the object; empty if it is missing or its length differs.
    Optional<StoredObject> open(ObjectId object, long length);

    /// Returns a URL with which anybody can read the object, whole or in part, until `lifetime` is over. Empty
    /// if the store has no such URLs. Does not check that the object exists.
    Optional<URI> presign(ObjectId object, Duration lifetime);

    /// Deletes an object; does nothing if it is missing.
    void delete(ObjectId object);

    /// Deletes a draft and its shared object; does nothing if it is missing. [DraftId#brief] is enough.
    void abort(DraftId draft);

    // --- contents of the store: slow, for maintenance only ---

    /// Returns items in the store, sorted by name: at most `limit` items whose names sort after `after`, and an
    /// empty list only at the end. Items that are created or deleted meanwhile may or may not be included.
    ///
    /// @param after empty for the beginning
    /// @param limit at most 1000
    List<StoredItem> list(String after, int limit);

    /// Returns the parts of the names under which a draft may be stored; [DraftId#brief] is enough.
    Set<String> parts(DraftId draft);

    /// Moves an item that no row names into quarantine, so that a mistake shows while it can still be undone:
    /// [#open] finds an object there and brings it back. A bucket cannot move anything, so the item stays in place
    /// there.
    ///
    /// @return the item at its new place
    StoredItem quarantine(StoredItem item);

    /// Moves an item back from quarantine; does nothing if it is not there.
    void bringBack(StoredItem item);

    /// Deletes an item for good; does nothing if it is missing.
    void remove(StoredItem item);
}
