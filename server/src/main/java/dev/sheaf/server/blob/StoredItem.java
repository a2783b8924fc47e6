package dev.sheaf.server.blob;

/// Something that lies in a blob store, as [BlobStore#list] sees it.
///
/// @param name where it lies; the store's own text, printable and without spaces, by which items are sorted
/// @param part that of the [ObjectId] or [DraftId] it belongs to; in a bucket also what [BlobStore#parts] gives
/// @param size in bytes; 0 for an upload in parts, whose size a bucket does not tell
public record StoredItem(String name, Kind kind, String part, long size) {
    /// The sorts of things that lie in a store.
    public enum Kind {
        /// A finished object; in a bucket also the tail of a draft.
        OBJECT,
        /// A file under construction.
        DRAFT,
        /// An upload in parts to a bucket that is neither completed nor aborted.
        UPLOAD,
        /// What [BlobStore#quarantine] put aside, whatever it was.
        ASIDE
    }

    public StoredItem {
        DraftId.check(part);
    }

    @Override
    public String toString() {
        return name;
    }
}
