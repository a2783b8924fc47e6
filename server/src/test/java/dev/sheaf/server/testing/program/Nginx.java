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
import java.util.stream.Stream;

/// An nginx of its own for a test, in front of a server.
public final class Nginx implements AutoCloseable {
    private static final Duration LONGEST_START = Duration.ofSeconds(20);

    private final int port;
    private final Process process;

    private Nginx(int port, Process process) {
        this.port = port;
        this.process = process;
    }

    /// Starts it in `folder`. Skips the test that asks where the program is not installed.
    ///
    /// @param location what stands in `location /`, such as `proxy_pass`
    public static Nginx start(Path folder, String location) throws IOException {
        return start(folder, "", location);
    }

    /// @param http what stands in `http`, such as `upstream`
    public static Nginx start(Path folder, String http, String location) throws IOException {
        return startServer(folder, http, "location / {\n" + location + "\n}");
    }

    /// @param server what stands in `server`, such as several locations
    public static Nginx startServer(Path folder, String http, String server) throws IOException {
        int port = Ports.free();
        Path config = Files.writeString(
                Files.createDirectories(folder).resolve("nginx.conf"), """
                daemon off;
                worker_processes 1;
                pid %1$s/nginx.pid;
                error_log stderr;
                worker_rlimit_nofile 16384;
                events { worker_connections 8192; }
                http {
                  access_log off;
                  client_body_temp_path %1$s/body;
                  proxy_temp_path %1$s/proxy;
                  fastcgi_temp_path %1$s/fastcgi;
                  uwsgi_temp_path %1$s/uwsgi;
                  scgi_temp_path %1$s/scgi;
                  %4$s
                  server {
                    listen 127.0.0.1:%2$d;
                %3$s
                  }
                }
                """.formatted(folder, port, server, http));
        var process = new ProcessBuilder(
                        List.of(program(), "-e", "stderr", "-c", config.toString(), "-p", folder + "/"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("nginx.log").toFile())
                .start();
        var nginx = new Nginx(port, process);
        Eventually.within(LONGEST_START, () -> nginx.answers() || !process.isAlive());
        if (!process.isAlive()) {
            throw new IllegalStateException(Files.readString(folder.resolve("nginx.log")));
        }
        return nginx;
    }

    /// Debian keeps it where only root's path leads.
    private static String program() {
        var found = Stream.concat(Stream.of(System.getenv("PATH").split(":")), Stream.of("/usr/sbin"))
                .map(folder -> Path.of(folder, "nginx"))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(found.isPresent(), "nginx is not installed (Debian's package nginx-light)");
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
