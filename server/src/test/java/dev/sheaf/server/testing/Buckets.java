package dev.sheaf.server.testing;

import dev.sheaf.engine.blob.s3.S3Settings;
import dev.sheaf.model.key.Secret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/// Fresh buckets on the one S3 server of this JVM, which checks signatures.
public final class Buckets {
    public static final String KEY_ID = "sheaf-tests";
    public static final String SECRET = "not-a-secret-that-anyone-else-uses";
    private static final AtomicInteger COUNT = new AtomicInteger();

    private Buckets() {}

    /// How to reach a new bucket.
    public static S3Settings fresh() {
        String name = "bucket-" + COUNT.incrementAndGet();
        Server.STORE.createContainer(name);
        return settings(name, SECRET);
    }

    /// How to reach a bucket that may not be there, with a secret that may be wrong.
    public static S3Settings settings(String name, String secret) {
        var endpoint = URI.create("http://127.0.0.1:" + Server.PROXY.getPort());
        return new S3Settings(
                name, "us-east-1", endpoint, new S3Settings.Credentials(KEY_ID, Secret.of(secret)), true, true);
    }

    /// The keys of everything in a bucket.
    public static List<String> keys(S3Settings settings) {
        return Server.STORE.list(settings.bucket()).contents().stream()
                .map(object -> object.key())
                .toList();
    }

    /// Gives an object other bytes.
    public static void overwrite(S3Settings settings, String key, byte[] bytes) {
        var request = PutObjectRequest.builder()
                .bucket(settings.bucket())
                .key(key)
                .contentLength((long) bytes.length)
                .build();
        Server.STORE.putBlob(request, new ByteArrayInputStream(bytes));
    }

    public static byte[] read(S3Settings settings, String key) throws IOException {
        try (var object = Server.STORE.getBlob(settings.bucket(), key)) {
            return object.readAllBytes();
        }
    }

    public static void remove(S3Settings settings, String key) {
        Server.STORE.removeBlob(settings.bucket(), key);
    }

    /// What the server keeps.
    public static BlobStore store() {
        return Server.STORE;
    }

    /// Started by the first test that asks, stopped with the JVM.
    private static final class Server {
        private static final BlobStore STORE = files();
        private static final S3Proxy PROXY = start();

        private static BlobStore files() {
            try {
                var properties = new Properties();
                var folder = Files.createTempDirectory("sheaf-buckets");
                Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(folder)));
                properties.setProperty("jclouds.filesystem.basedir", folder.toString());
                return BlobStores.create("filesystem-nio2", properties);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        private static void remove(Path folder) {
            try (var all = Files.walk(folder)) {
                all.sorted(Comparator.reverseOrder())
                        .forEach(path -> path.toFile().delete());
            } catch (IOException e) {
                System.err.println(folder + " stays: " + e);
            }
        }

        private static S3Proxy start() {
            try {
                var proxy = S3Proxy.builder()
                        .blobStore(STORE)
                        .endpoint(URI.create("http://127.0.0.1:0"))
                        .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, KEY_ID, SECRET)
                        .build();
                proxy.start();
                return proxy;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
