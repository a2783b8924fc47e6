package dev.sheaf.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.blob.TransferBuffers;
import dev.sheaf.engine.metrics.CallTimes;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.testing.Buckets;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.program.OldS3;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a bucket takes is found out at the start, and not by the first push.
class StoreSetupTest {
    @TempDir
    private Path folder;

    private Map<String, String> flags(OldS3 front, String checksums) {
        var flags = new HashMap<>(Stack.bucket());
        flags.put("s3-endpoint", "http://127.0.0.1:" + front.port());
        flags.put("s3-checksums", checksums);
        flags.put("data-dir", folder.toString());
        flags.put("min-free-bytes", "0");
        return flags;
    }

    private void open(Map<String, String> flags) throws Exception {
        var config = Config.load(flags, Map.of());
        try (var dataDir = DataDir.open(config.dataDir())) {
            StoreSetup.open(config, dataDir, new TransferBuffers(), CallTimes.OFF);
        }
    }

    private static OldS3 front() throws IOException {
        return new OldS3(endpoint());
    }

    private static URI endpoint() {
        return URI.create(String.valueOf(Buckets.fresh().endpoint()));
    }

    @Test
    void aServerThatRefusesChecksumsIsUsedWithoutThem() throws Exception {
        try (var front = front()) {
            open(flags(front, "auto"));

            assertThat(front.refused()).isPositive();
        }
    }

    @Test
    void nothingIsRefusedWhereNoneAreSent() throws Exception {
        try (var front = front()) {
            open(flags(front, "when-required"));

            assertThat(front.refused()).isZero();
        }
    }

    /// Each request is sent twice, so the third break fails a second check.
    @Test
    void aBrokenConnectionDoesNotSwitchChecksumsOff() throws Exception {
        try (var front = new OldS3(endpoint(), 3)) {
            open(flags(front, "when-supported"));

            assertThat(front.refused()).isEqualTo(3);
        }
    }

    @Test
    void whoInsistsIsToldTheSetting() throws Exception {
        try (var front = front()) {
            assertThatThrownBy(() -> open(flags(front, "when-supported")))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining("cannot be stored (status 400 XAmzContentSHA256Mismatch)")
                    .hasMessageContaining("set s3-checksums to auto or when-required");
        }
    }
}
