package dev.sheaf.server.testing.program;

import dev.sheaf.server.testing.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;

/// S3Proxy as a process of its own with one bucket, which is a folder.
public final class BucketServer implements AutoCloseable {
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final String NAME = "sheaf";
    private static final String SECRET = "not-a-secret-that-anyone-else-uses";

    private final Path folder;
    private final int port;
    private Process process;

    private BucketServer(Path folder, int port) throws IOException {
        this.folder = folder;
        this.port = port;
        Files.createDirectories(objects());
        this.process = launch();
    }

    /// Starts it; what is in the folder already stays.
    public static BucketServer start(Path folder, int port) throws IOException {
        var server = new BucketServer(folder, port);
        server.awaitUp();
        return server;
    }

    /// Serves a folder at a port.
    public static void main(String[] arguments) throws Exception {
        var properties = new Properties();
        properties.setProperty("jclouds.filesystem.basedir", arguments[1]);
        S3Proxy.builder()
                .blobStore(BlobStores.create("filesystem-nio2", properties))
                .endpoint(URI.create("http://127.0.0.1:" + arguments[0]))
                .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, NAME, SECRET)
                .build()
                .start();
    }

    private Process launch() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-Dlogback.configurationFile=logback.xml",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BucketServer.class.getName(),
                        String.valueOf(port),
                        Objects.requireNonNull(objects().getParent()).toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("s3proxy.log").toFile())
                .start();
    }

    private void awaitUp() {
        Eventually.within(LONGEST_START, () -> answers() || !process.isAlive());
        if (!process.isAlive()) {
            throw new IllegalStateException("S3Proxy did not start; see " + folder.resolve("s3proxy.log"));
        }
    }

    private boolean answers() {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    public void again() throws IOException {
        process = launch();
        awaitUp();
    }

    /// Where the objects of the bucket are.
    public Path objects() {
        return folder.resolve("s3").resolve(NAME);
    }

    public int port() {
        return port;
    }

    /// The settings of a node that reaches it at another port, which leads here.
    public static Map<String, String> settings(int port) {
        return Map.of(
                "s3-bucket", NAME,
                "s3-endpoint", "http://127.0.0.1:" + port,
                "s3-access-key-id", NAME,
                "s3-secret-access-key", SECRET,
                "s3-path-style", "true");
    }

    public List<Long> pids() {
        return List.of(process.pid());
    }

    @Override
    public void close() {
        kill();
    }
}
