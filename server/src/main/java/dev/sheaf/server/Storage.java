package dev.sheaf.server;

import dev.sheaf.model.Secret;
import dev.sheaf.server.blob.BlobStore;
import dev.sheaf.server.blob.BucketException;
import dev.sheaf.server.blob.BulkLane;
import dev.sheaf.server.blob.FileBlobStore;
import dev.sheaf.server.blob.S3BlobStore;
import dev.sheaf.server.blob.S3Settings;
import java.net.URI;

/// Opens the blob store that the settings name.
final class Storage {
    private static final int BULK_TRANSFERS = 8;

    private Storage() {}

    /// @throws StartException where the bucket cannot be used
    static BlobStore open(Config config, DataDir dataDir) {
        var lane = new BulkLane(BULK_TRANSFERS);
        long minimumFree = config.number(Setting.MIN_FREE_BYTES);
        if (config.find(Setting.S3_BUCKET).isEmpty()) {
            return new FileBlobStore(dataDir.content(), minimumFree, lane);
        }
        try {
            return new S3BlobStore(settings(config), dataDir.spools(), minimumFree, lane);
        } catch (BucketException e) {
            throw new StartException(Exit.STORAGE_UNREACHABLE, String.valueOf(e.getMessage()));
        }
    }

    private static S3Settings settings(Config config) {
        return new S3Settings(
                config.text(Setting.S3_BUCKET),
                config.text(Setting.S3_REGION),
                config.find(Setting.S3_ENDPOINT).map(URI::create).orElse(null),
                config.find(Setting.S3_ACCESS_KEY_ID)
                        .map(id -> new S3Settings.Credentials(id, Secret.of(config.text(Setting.S3_SECRET_ACCESS_KEY))))
                        .orElse(null),
                config.isOn(Setting.S3_PATH_STYLE),
                config.text(Setting.S3_CHECKSUMS).equals("when-supported"));
    }
}
