package dev.sheaf.engine.blob;

/// An item in a blob store, as [BlobStore#list] returns it.
///
/// @param name its place in the store's own notation, printable and without spaces; items are sorted by it
/// @param part the part of the [ObjectId] or [DraftId] that it belongs to; in a bucket also one of
///     [BlobStore#parts]
/// @param size the size in bytes; 0 for a multipart upload, whose size a bucket does not report
public record StoredItem(String name, Kind kind, String part, long size) {
    /// The kinds of items.
    public enum Kind {
        /// A finished object; in a bucket also the tail of a draft.
        OBJECT,
        /// A draft in a file.
        DRAFT,
        /// A multipart upload to a bucket that is neither completed nor aborted.
        UPLOAD,
        /// An item in quarantine, of any kind.
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
