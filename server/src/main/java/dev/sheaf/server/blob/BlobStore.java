package dev.sheaf.server.blob;

import dev.sheaf.model.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Keeps bytes: write-once objects, made from drafts. Knows nothing of repositories and rights; an object is
/// visible only through a committed row that names it.
///
/// A draft has one writer at a time; apart from that, thread-safe. A store that cannot do its work now throws a
/// [dev.sheaf.model.ProblemException]: storage-full where there is no room, else unavailable.
public interface BlobStore {
    /// Looks whether the store can be reached at all: cheaply, at what it is kept in.
    ///
    /// @throws dev.sheaf.model.ProblemException unavailable where it cannot
    void probe();

    /// Refuses content that there is no room for, before any of it is accepted.
    ///
    /// @param bytes how much is announced; 0 where that is unknown
    /// @throws dev.sheaf.model.ProblemException storage-full
    void admit(long bytes);

    /// Begins an empty object under construction.
    DraftId begin();

    /// Writes the whole stream into a draft from `offset` on, after cutting off what lies beyond it: bytes that an
    /// append left behind when it failed. What it adds is this process's alone until [#sync] or [#complete].
    ///
    /// @param offset bytes that must be there already
    /// @return how many bytes the stream gave
    /// @throws IOException where `content` fails; what was not synced may then be lost
    /// @throws DraftLostException where the draft does not hold `offset` bytes
    long append(DraftId draft, long offset, InputStream content) throws IOException;

    /// Makes everything appended so far survive a power loss.
    ///
    /// @return the draft as any process can go on with it; the one that was given goes on without those bytes
    DraftId sync(DraftId draft);

    /// Forgets what was appended to a draft and neither synced nor completed.
    void leave(DraftId draft);

    /// Frees what only `dropped` needs of two states of one draft, once it is certain that `kept` is the one that
    /// counts.
    void release(DraftId dropped, DraftId kept);

    /// Whether processes that complete this same draft all get the same object. It then belongs to the draft until
    /// a row names it, and goes with [#abort]; nobody may delete it on its own.
    boolean isShared(DraftId draft);

    /// Everything that a small draft holds.
    ///
    /// @param length the bytes the draft must hold; they have to fit into memory
    /// @throws DraftLostException where it does not
    byte[] read(DraftId draft, int length);

    /// Turns a draft into an object that survives a power loss. Asking again after the same draft was completed
    /// under the same digest gives the same object.
    ///
    /// @param length the bytes the draft must hold
    /// @throws DraftLostException where it does not
    ObjectId complete(DraftId draft, Digest digest, long length);

    /// Takes back a [#complete] that no committed row came to name, so that the draft can be completed again. Does
    /// nothing where there was none.
    void reopen(DraftId draft, Digest digest);

    /// The object, or empty where it is missing or has not exactly `length` bytes.
    Optional<StoredObject> open(ObjectId object, long length);

    /// A URL under which anybody who has it can read the object, whole or in part, until `lifetime` is over; empty
    /// where the store gives none. Says nothing of whether the object is there.
    Optional<URI> presign(ObjectId object, Duration lifetime);

    /// Removes an object; does nothing where there is none.
    void delete(ObjectId object);

    /// Removes a draft, of which [DraftId#brief] is enough, and an object that it shares; does nothing where there
    /// is none.
    void abort(DraftId draft);

    // --- what lies in the store: slow, for upkeep only ---

    /// Some of what lies in the store, whoever it belongs to, in the order of names: at most `limit` items whose
    /// names sort after the text `after`, and none only at the end. What comes and goes meanwhile may be in it or
    /// not.
    ///
    /// @param after empty: from the first
    /// @param limit at most 1000
    List<StoredItem> list(String after, int limit);

    /// The parts of the names under which a draft may lie in the store; [DraftId#brief] is enough.
    Set<String> parts(DraftId draft);

    /// Puts aside what no row names, so that a mistake shows while it can still be undone: what was an object is
    /// found there by [#open], and brought back. A bucket can move nothing, so there it stays as it is.
    ///
    /// @return the item as it lies now
    StoredItem quarantine(StoredItem item);

    /// Puts an item back that was put aside; does nothing where it was not, or is gone.
    void bringBack(StoredItem item);

    /// Removes an item for good; does nothing where it is gone.
    void remove(StoredItem item);
}
