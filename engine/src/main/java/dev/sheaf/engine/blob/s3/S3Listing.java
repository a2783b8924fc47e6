package dev.sheaf.engine.blob.s3;

import dev.sheaf.engine.blob.StoredItem;
import dev.sheaf.engine.blob.StoredItem.Kind;
import dev.sheaf.engine.blob.s3.S3Draft.Multipart;
import java.util.List;
import java.util.Optional;

/// Lists a bucket: first its objects, then the multipart uploads that are neither completed nor aborted.
final class S3Listing {
    private static final String OBJECTS = "objects/";
    private static final String UPLOADS = "uploads/";
    private static final int PART = 32;

    private final S3Bucket bucket;

    S3Listing(S3Bucket bucket) {
        this.bucket = bucket;
    }

    List<StoredItem> after(String after, int limit) {
        if (!after.startsWith(UPLOADS)) {
            var objects = bucket.objects(after.isEmpty() ? "" : after.substring(OBJECTS.length()), limit);
            if (!objects.isEmpty()) {
                return objects;
            }
        }
        String last = after.startsWith(UPLOADS) ? after.substring(UPLOADS.length(), UPLOADS.length() + PART) : "";
        return bucket.uploads(last).stream()
                .sorted((one, other) -> one.object().compareTo(other.object()))
                .limit(limit)
                .map(S3Listing::upload)
                .toList();
    }

    static StoredItem object(String part, long size) {
        return new StoredItem(OBJECTS + part, Kind.OBJECT, part, size);
    }

    private static StoredItem upload(Multipart upload) {
        return new StoredItem(UPLOADS + upload.object() + "/" + upload.id(), Kind.UPLOAD, upload.object(), 0);
    }

    /// Returns the upload of an item; empty if the item is an object.
    static Optional<Multipart> upload(StoredItem item) {
        return item.kind() == Kind.UPLOAD
                ? Optional.of(new Multipart(item.part(), item.name().substring(UPLOADS.length() + PART + 1)))
                : Optional.empty();
    }
}
