package dev.sheaf.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.api.RefusedPath;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What authors of other programs may rely on.
class LibraryTest {
    private static final Reference KIT = Reference.parse("acme/kit:1.0.0");

    /// The class files of this Java (JVM specification, table 4.1-A).
    private static final int JAVA_21 = 65;

    @TempDir
    private Path folder;

    private ClientBuilder client(TinyRegistry registry) {
        return SheafClient.of(registry.url()).cache(folder).pause(wait -> {});
    }

    private static TinyRegistry registry() {
        var registry = TinyRegistry.start();
        registry.content.publish("acme/kit:1.0.0", Map.of("a.txt", new byte[10]));
        return registry;
    }

    @Test
    void aClosedClientSaysSo() {
        try (var registry = registry()) {
            var client = client(registry).open();
            client.resolve(KIT);
            client.close();

            assertThatThrownBy(() -> client.bundle(KIT.repository()).versions(1))
                    .isInstanceOf(SheafException.Network.class)
                    .hasMessage("this client is closed");
        }
    }

    @Test
    void aCallThatRunsEndsWhenTheClientIsClosed() throws Exception {
        var arrived = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        try (var registry = registry();
                var client = client(registry).open()) {
            registry.replaceOnce(":resolve", exchange -> {
                arrived.countDown();
                try {
                    over.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            });
            var running = client.start(made -> made.resolve(KIT));
            arrived.await();
            client.close();

            assertThatThrownBy(running::await)
                    .isInstanceOf(SheafException.Network.class)
                    .hasMessage("this client is closed");
            over.countDown();
        }
    }

    @Test
    void retriesAreAsManyAsTheProgramSays() {
        for (int retries : new int[] {0, 1, 5}) {
            try (var registry = registry();
                    var client = client(registry).retries(retries).open()) {
                registry.replace(
                        "/bundles/kit", exchange -> TinyRegistry.problem(exchange, 503, "unavailable", "later"));

                assertThatThrownBy(() -> client.bundle(KIT.repository()).info())
                        .isInstanceOfSatisfying(
                                SheafException.Server.class,
                                failure -> assertThat(failure.attempts()).isEqualTo(retries + 1));
            }
        }
        var builder = SheafClient.of(RegistryUrl.parse("https://bundles.example.com"));
        assertThatThrownBy(() -> builder.retries(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aProgramMayWaitLess() {
        var over = new CountDownLatch(1);
        try (var registry = registry();
                var client = client(registry)
                        .timeout(Duration.ofMillis(200))
                        .retries(0)
                        .open()) {
            registry.replaceOnce("/bundles/kit", exchange -> {
                try {
                    over.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            });

            assertThatThrownBy(() -> client.bundle(KIT.repository()).info())
                    .isInstanceOf(SheafException.Network.class)
                    .hasMessageContaining("did not answer in time");
            over.countDown();
        }
        var builder = SheafClient.of(RegistryUrl.parse("https://bundles.example.com"));
        assertThatThrownBy(() -> builder.timeout(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anHttpClientOfTheProgramIsUsedAndStaysOpen() {
        try (var http = HttpClient.newHttpClient();
                var registry = registry()) {
            try (var client = client(registry).httpClient(http).open()) {
                assertThat(client.pull(KIT).assets()).hasSize(1);
            }
            try (var other = client(registry).httpClient(http).open()) {
                assertThat(other.bundle(KIT.repository()).info()).isNotNull();
            }
        }
    }

    @Test
    void anHttpClientThatCarriesTheKeyElsewhereIsRefused() {
        try (var registry = registry();
                var http = HttpClient.newBuilder()
                        .followRedirects(HttpClient.Redirect.NORMAL)
                        .build()) {
            var builder = client(registry);

            assertThatThrownBy(() -> builder.httpClient(http))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("must not follow redirects");
        }
    }

    @Test
    void oneCanWaitForALimitedTime() {
        var over = new CountDownLatch(1);
        try (var registry = registry();
                var client = client(registry).open()) {
            var running = client.start(made -> {
                try {
                    over.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return made.resolve(KIT).version();
            });

            assertThat(running.await(Duration.ofMillis(20))).isEmpty();
            over.countDown();
            assertThat(running.await(Duration.ofSeconds(30))).contains("1.0.0");
        }
    }

    @Test
    void failuresSurviveSerialization() throws Exception {
        var answer = new SheafException.Answer(409, "version-exists", "r-1", Duration.ofSeconds(3), "rate");
        SheafException conflict = new SheafException.Conflict("there", answer)
                .withAttempts(3)
                .withBundle(RepositoryName.parse("acme/kit"));
        var read = (SheafException) copied(conflict);

        assertThat(read.answer()).isEqualTo(answer);
        assertThat(read.attempts()).isEqualTo(3);
        assertThat(read.bundle()).contains(RepositoryName.parse("acme/kit"));
        assertThat(read).hasMessage("there");

        var rule = new Problem.FieldError("/a", "format", "is wrong");
        var invalid = (SheafException.InvalidRequest)
                copied(new SheafException.InvalidRequest("no", SheafException.Answer.NONE, List.of(rule)));
        assertThat(invalid.errors()).containsExactly(rule);
        var path = new RefusedPath("../a", "format", "leaves the folder");
        var unsafe = (SheafException.UnsafePaths) copied(new SheafException.UnsafePaths("kit", List.of(path), 1));
        assertThat(unsafe.paths()).containsExactly(path);
    }

    @Test
    void aCopyOfAFailureLeavesTheFirstAsItWas() {
        var first = new SheafException.Offline("nothing is there");

        assertThat(first.withAttempts(4))
                .isInstanceOf(SheafException.Offline.class)
                .hasMessage("nothing is there");
        assertThat(first.attempts()).isOne();
        assertThat(first.withBundle(KIT.repository()).bundle()).isPresent();
        assertThat(first.bundle()).isEmpty();
    }

    private static Object copied(Object one) throws IOException, ClassNotFoundException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(one);
        }
        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
        }
    }

    /// The messages are for any program; the command has its own advice. The files left out contain notes for the
    /// command, the first lines of its files, or options of git.
    @Test
    void noMessageAdvisesOptionsOfTheCommand() throws IOException {
        var advice =
                Pattern.compile("\"[^\"]*(?:(?<![\\w-])--[a-z]{2}|\\bsheaf (?:add|install|list|login|pull|push|remove"
                        + "|update|init|resolve|versions|unyank|visibility|delete|info|open|lock)\\b)");
        var left = Set.of(
                "Doctor.java",
                "RunsCheck.java",
                "PluginParts.java",
                "PluginNotice.java",
                "GitModes.java",
                "LockFile.java",
                "InstallLock.java",
                "StateFile.java",
                "BundleDraft.java");
        var found = new ArrayList<String>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !left.contains(file.getFileName().toString()))
                    .toList()) {
                String text = Files.readString(file)
                        .replaceAll("(?m)^ *///?.*$", "")
                        .replaceAll("(?s)\\.hint\\(.*?;\n", "")
                        .replaceAll("(?s)NeedsConsent\\(.*?;\n", "")
                        .replaceAll("(?s)String next\\(.*?\n        }", "");
                advice.matcher(text).results().forEach(one -> found.add(file.getFileName() + ": " + one.group()));
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void whatIsPublicHasASentence() throws IOException {
        var silent = new ArrayList<String>();
        for (String folder : List.of(
                "",
                "agents",
                "api",
                "bundle",
                "credentials",
                "lock",
                "network",
                "queue",
                "work",
                "../../../../../../../model/src/main/java/dev/sheaf/model")) {
            Path home = Path.of("src/main/java/dev/sheaf/client", folder).normalize();
            try (Stream<Path> files = folder.startsWith("..") ? Files.walk(home) : Files.list(home)) {
                for (Path file :
                        files.filter(file -> file.toString().endsWith(".java")).toList()) {
                    silent.addAll(silent(file));
                }
            }
        }
        assertThat(silent).isEmpty();
    }

    /// Returns the public members without a comment. A record repeats its components in its constructor.
    private static List<String> silent(Path file) throws IOException {
        var silent = new ArrayList<String>();
        var lines = Files.readAllLines(file);
        for (int i = 1; i < lines.size(); i++) {
            int above = i - 1;
            while (lines.get(above).strip().startsWith("@")
                    && !lines.get(above).strip().equals("@Override")) {
                above--;
            }
            String before = lines.get(above).strip();
            if (lines.get(i).matches(" {0,8}(?:public|protected) .*")
                    && !lines.get(i).matches(" +public \\w+ \\{")
                    && !before.startsWith("///")
                    && !before.equals("@Override")) {
                silent.add(file + ":" + (i + 1) + ": " + lines.get(i).strip());
            }
        }
        return silent;
    }

    @Test
    void everythingRunsOnJava21() throws IOException {
        var newer = new ArrayList<String>();
        try (Stream<Path> files =
                Stream.concat(Files.walk(Path.of("target/classes")), Files.walk(Path.of("../model/target/classes")))) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".class")).toList()) {
                try (var in = Files.newInputStream(file)) {
                    release(in).filter(made -> made > JAVA_21).ifPresent(made -> newer.add(file + " " + made));
                }
            }
        }
        for (String entry : System.getProperty("java.class.path").split(java.io.File.pathSeparator)) {
            if (Path.of(entry)
                    .getFileName()
                    .toString()
                    .matches("(jspecify|jackson-|snakeyaml-engine|slf4j-api).*\\.jar")) {
                try (var jar = new JarFile(entry)) {
                    for (var one : jar.stream()
                            .filter(inside -> inside.getName().endsWith(".class"))
                            .filter(inside -> !inside.getName().startsWith("META-INF/"))
                            .toList()) {
                        try (var in = jar.getInputStream(one)) {
                            release(in).filter(made -> made > JAVA_21).ifPresent(made -> newer.add(one + " " + made));
                        }
                    }
                }
            }
        }
        assertThat(newer).isEmpty();
    }

    private static Optional<Integer> release(InputStream in) throws IOException {
        var data = new DataInputStream(in);
        data.readInt();
        data.readUnsignedShort();
        return Optional.of(data.readUnsignedShort());
    }
}
