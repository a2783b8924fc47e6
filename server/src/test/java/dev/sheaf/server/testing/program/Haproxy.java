package dev.sheaf.server.testing.program;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A HAProxy of its own for a test, in front of servers, set up as docs/proxy.md says.
public final class Haproxy implements AutoCloseable {
    private static final Duration LONGEST_START = Duration.ofSeconds(20);

    private static final String CONFIG = """
            defaults
              mode http
              timeout connect 2s
              timeout client 120s
              timeout server 120s
              timeout check 1s
              option forwardfor
              option redispatch 1
              retry-on conn-failure empty-response 503
            frontend in
              bind 127.0.0.1:%d
              http-request set-header X-Forwarded-Proto http
              use_backend unready if { nbsrv(sheaf) eq 0 }
              default_backend sheaf
            backend sheaf
              option httpchk GET /health/ready
              http-check expect status 200 error-status L7OKC
              http-request disable-l7-retry unless { method GET HEAD }
              default-server check inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
            %s
            backend unready
              http-request disable-l7-retry unless { method GET HEAD }
            %s
            """;

    private final int port;
    private final Process process;

    private Haproxy(int port, Process process) {
        this.port = port;
        this.process = process;
    }

    /// Starts it in `folder`. Skips the test that asks where the program is not installed.
    ///
    /// @param upstreams `host:port` of each server
    public static Haproxy start(Path folder, List<String> upstreams) throws IOException {
        int port = Ports.free();
        String servers = upstreams.stream()
                .map(host -> "  server node-" + host.replace(':', '-') + " " + host)
                .collect(Collectors.joining("\n"));
        Path config = Files.writeString(
                Files.createDirectories(folder).resolve("haproxy.cfg"), CONFIG.formatted(port, servers, servers));
        var process = new ProcessBuilder(List.of(program(), "-db", "-f", config.toString()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("haproxy.log").toFile())
                .start();
        var proxy = new Haproxy(port, process);
        Eventually.within(LONGEST_START, () -> proxy.answers() || !process.isAlive());
        if (!process.isAlive()) {
            throw new IllegalStateException(Files.readString(folder.resolve("haproxy.log")));
        }
        return proxy;
    }

    private static String program() {
        var found = Stream.concat(Stream.of(System.getenv("PATH").split(":")), Stream.of("/usr/sbin"))
                .map(folder -> Path.of(folder, "haproxy"))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(found.isPresent(), "haproxy is not installed (Debian's package haproxy)");
        return found.orElseThrow().toString();
    }

    private boolean answers() {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
