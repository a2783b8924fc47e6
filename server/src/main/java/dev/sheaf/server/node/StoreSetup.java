package dev.sheaf.server.node;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.blob.FileBlobStore;
import dev.sheaf.engine.blob.TransferBuffers;
import dev.sheaf.engine.blob.s3.BucketException;
import dev.sheaf.engine.blob.s3.S3BlobStore;
import dev.sheaf.engine.blob.s3.S3Settings;
import dev.sheaf.engine.metrics.CallTimes;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.StartException;
import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Opens the blob store that the settings name.
public final class StoreSetup {
    private static final Logger LOG = LoggerFactory.getLogger(StoreSetup.class);

    private StoreSetup() {}

    /// If the settings name a bucket, checks that it exists. Writes nothing.
    ///
    /// @throws StartException if it does not exist
    public static void look(Config config) {
        if (config.find(Setting.S3_BUCKET).isPresent()) {
            try {
                S3BlobStore.look(settings(config, true));
            } catch (BucketException e) {
                throw failure(e);
            }
        }
    }

    /// @throws StartException if the bucket cannot be used
    public static BlobStore open(Config config, DataDir dataDir, TransferBuffers buffers, CallTimes times) {
        long minimumFree = config.number(Setting.MIN_FREE_BYTES);
        if (config.find(Setting.S3_BUCKET).isEmpty()) {
            return new FileBlobStore(dataDir.content(), minimumFree, buffers, times);
        }
        String checksums = config.text(Setting.S3_CHECKSUMS);
        boolean wanted = !checksums.equals("when-required");
        BucketStart start =
                sums -> new S3BlobStore(settings(config, sums), dataDir.spools(), minimumFree, buffers, times);
        try {
            return start.with(wanted);
        } catch (BucketException e) {
            if (!wanted || !e.refusesContent()) {
                throw failure(e);
            }
            var plain = withoutChecksums(start, e);
            if (!checksums.equals("auto")) {
                throw new StartException(
                        ServerExit.STORAGE_UNREACHABLE,
                        e.getMessage() + ", but it accepts them without checksums: set s3-checksums to auto or"
                                + " when-required");
            }
            LOG.warn("the S3 server refuses checksums with requests, so none are sent: {}", e.getMessage());
            return plain;
        }
    }

    /// Tries again without checksums, as older servers need. If that fails too, it reports the first failure.
    private static BlobStore withoutChecksums(BucketStart start, BucketException first) {
        try {
            return start.with(false);
        } catch (BucketException e) {
            throw failure(first);
        }
    }

    private interface BucketStart {
        BlobStore with(boolean checksums);
    }

    private static StartException failure(BucketException e) {
        return new StartException(ServerExit.STORAGE_UNREACHABLE, String.valueOf(e.getMessage()), e.isPassing());
    }

    private static S3Settings settings(Config config, boolean checksums) {
        return new S3Settings(
                config.text(Setting.S3_BUCKET),
                config.text(Setting.S3_REGION),
                config.find(Setting.S3_ENDPOINT).map(URI::create).orElse(null),
                config.find(Setting.S3_ACCESS_KEY_ID)
                        .map(id -> new S3Settings.Credentials(id, Secret.of(config.text(Setting.S3_SECRET_ACCESS_KEY))))
                        .orElse(null),
                config.isOn(Setting.S3_PATH_STYLE),
                checksums);
    }
}
