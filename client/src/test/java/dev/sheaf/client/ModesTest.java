package dev.sheaf.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.PushOptions;
import dev.sheaf.client.api.Pushed;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.api.Verification;
import dev.sheaf.client.bundle.BundleSource;
import dev.sheaf.client.bundle.LocalAsset;
import dev.sheaf.client.io.FileModes;
import dev.sheaf.client.lock.LockFile;
import dev.sheaf.client.testing.TinyContent;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Reference;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Executable bits in pushes and pulls (contract 4).
class ModesTest {
    private static final Reference KIT = Reference.parse("acme/kit:1.0.0");

    @TempDir
    private Path folder;

    private final TinyRegistry registry = TinyRegistry.start();

    @BeforeEach
    void onlyWhereModesAreKept() throws IOException {
        assumeTrue(FileModes.areKept(folder), "this file system keeps no modes");
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private void publish(String version, String text, String... executables) {
        registry.content.executables.clear();
        registry.content.executables.addAll(List.of(executables));
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        registry.content.publish("acme/kit:" + version, Map.of("plain.sh", bytes, "run.sh", bytes, "x/a.md", bytes));
    }

    private SheafClient client() {
        return SheafClient.of(registry.url()).cache(folder.resolve("cache")).open();
    }

    private void pull(String version, boolean force) {
        try (var client = client()) {
            client.pull(
                    Reference.parse("acme/kit:" + version),
                    out(),
                    PullOptions.DEFAULT.refresh(true).force(force));
        }
    }

    private Path out() {
        return folder.resolve("out");
    }

    private String mode(String file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(out().resolve(file)));
    }

    private void chmod(String file, String mode) throws IOException {
        Files.setPosixFilePermissions(out().resolve(file), PosixFilePermissions.fromString(mode));
    }

    @Test
    void aPullSetsTheBitForWhoeverMayReadTheFile() throws IOException {
        publish("1.0.0", "#!/bin/sh\n", "run.sh");

        pull("1.0.0", false);

        String plain = mode("plain.sh");
        assertThat(plain).doesNotContain("x");
        assertThat(mode("run.sh")).isEqualTo(plain.replaceAll("r(.)-", "r$1x"));
        try (var cached = Files.walk(folder.resolve("cache"))) {
            assertThat(cached.filter(Files::isRegularFile)).noneMatch(Files::isExecutable);
        }
    }

    @Test
    void theNextVersionBringsAndTakesTheBit() throws IOException {
        publish("1.0.0", "#!/bin/sh\n", "run.sh");
        pull("1.0.0", false);
        publish("1.1.0", "#!/bin/sh\n", "plain.sh");

        pull("1.1.0", false);

        assertThat(mode("run.sh")).doesNotContain("x");
        assertThat(mode("plain.sh")).contains("x");
    }

    @Test
    void aModeThatSomebodyChangedIsSomebodysWork() throws IOException {
        publish("1.0.0", "#!/bin/sh\n", "run.sh");
        pull("1.0.0", false);
        chmod("run.sh", "rw-r--r--");

        assertThatThrownBy(() -> pull("1.0.0", false))
                .isInstanceOf(SheafException.Conflict.class)
                .hasMessageContaining("run.sh");
        pull("1.0.0", true);

        assertThat(mode("run.sh")).contains("x");
    }

    @Test
    void verifySeesAChangedMode() throws IOException {
        publish("1.0.0", "#!/bin/sh\n", "run.sh");
        pull("1.0.0", false);
        chmod("run.sh", "rw-r--r--");
        chmod("plain.sh", "rwxr-xr-x");

        Verification found;
        try (var client = client()) {
            found = client.verify(KIT, out());
            var locked = client.lock(KIT, PullOptions.DEFAULT);
            var kept = lockFile(LockFile.EMPTY.with(locked).text()).entries().getFirst();
            assertThat(SheafClient.verify(kept, out()))
                    .as("the lock file knows it, too")
                    .isEqualTo(found);
        }

        assertThat(found.count(Verification.State.MODE)).isEqualTo(2);
        assertThat(found.isWhole()).isFalse();
    }

    @Test
    void whatIsNotKnownIsNotCompared() throws IOException {
        registry.content.modes = false;
        publish("1.0.0", "#!/bin/sh\n");
        pull("1.0.0", false);
        chmod("run.sh", "rwxr-xr-x");

        pull("1.0.0", false);

        assertThat(mode("run.sh")).contains("x");
        try (var client = client()) {
            assertThat(client.verify(KIT, out()).isWhole()).isTrue();
            String lock =
                    LockFile.EMPTY.with(client.lock(KIT, PullOptions.DEFAULT)).text();
            assertThat(lock).doesNotContain("true").doesNotContain("false");
        }
    }

    private LockFile lockFile(String text) throws IOException {
        return LockFile.read(Files.writeString(folder.resolve("sheaf.lock"), text));
    }

    @Test
    void anOldLockFileMeansTheSame() throws IOException {
        publish("1.0.0", "#!/bin/sh\n", "run.sh");
        try (var client = client()) {
            var fresh = client.lock(KIT, PullOptions.DEFAULT);
            String text = LockFile.EMPTY.with(fresh).text();
            var old = lockFile(text.replace(", true]", "]").replace(", false]", "]"));

            assertThat(text).contains(", true]").contains(", false]");
            assertThat(old.entries().getFirst().means(fresh)).isTrue();
            assertThat(old.with(fresh)).isSameAs(old);
        }
    }

    @Test
    void theManifestTellsModesWhereTheAnswerDoesNotAndNoAnswerMayContradictIt() throws IOException {
        registry.content.modes = false;
        publish("1.0.0", "#!/bin/sh\n", "run.sh");
        pull("1.0.0", false);
        assertThat(mode("run.sh")).contains("x");

        registry.content.modes = true;
        publish("2.0.0", "#!/bin/sh\n", "run.sh");
        var lie = Objects.requireNonNull(registry.content.versions.get("acme/kit:2.0.0"));
        publish("2.0.0", "#!/bin/sh\n", "plain.sh");
        var truth = Objects.requireNonNull(registry.content.versions.get("acme/kit:2.0.0"));
        registry.content.versions.put(
                "acme/kit:2.0.0",
                TinyContent.resolution(
                        Reference.parse("acme/kit").repository(),
                        Version.parse("2.0.0"),
                        dev.sheaf.model.Digest.parse(truth.ociDigest()),
                        lie.manifest().layers()));

        assertThatThrownBy(() -> pull("2.0.0", false))
                .isInstanceOf(SheafException.Integrity.class)
                .hasMessageContaining("is executable");
    }

    @Test
    void aPushReadsTheOwnersBit() throws IOException {
        Path source = Files.createDirectories(folder.resolve("source"));
        Files.writeString(source.resolve("plain.sh"), "#!/bin/sh\n");
        Files.writeString(source.resolve("run.sh"), "#!/bin/sh\n");
        Files.writeString(source.resolve("others.sh"), "#!/bin/sh\n");
        Files.setPosixFilePermissions(source.resolve("run.sh"), PosixFilePermissions.fromString("rwx------"));
        Files.setPosixFilePermissions(source.resolve("others.sh"), PosixFilePermissions.fromString("rw-r-xr-x"));

        assertThat(BundleSource.assetsOf(source, Progress.NONE))
                .filteredOn(LocalAsset::executable)
                .extracting(asset -> asset.path().value())
                .containsExactly("run.sh");
    }

    /// A version from before modes were kept does not change; nor do tags, unless the registry moves them.
    @Test
    void theTagsOfAPushGetWhatTheRegistryPublished() throws IOException {
        Path source = Files.createDirectories(folder.resolve("source"));
        Files.writeString(source.resolve("run.sh"), "#!/bin/sh\n");
        registry.content.publish("acme/kit:1.0.0", Map.of("run.sh", Files.readAllBytes(source.resolve("run.sh"))));
        String old = Objects.requireNonNull(registry.content.versions.get("acme/kit:1.0.0"))
                .ociDigest();
        registry.content.manifests.clear();
        registry.replace("/manifests/1.0.0", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Docker-Content-Digest", old);
            exchange.sendResponseHeaders(201, -1);
        });
        Files.setPosixFilePermissions(source.resolve("run.sh"), PosixFilePermissions.fromString("rwx------"));

        Pushed pushed;
        try (var client = client()) {
            pushed = client.push(
                    source,
                    KIT,
                    PushOptions.DEFAULT.throughOci(true).withTags(List.of(new Tag("stable"), new Tag("other"))));
        }

        assertThat(pushed.manifestDigest()).hasToString(old);
        assertThat(registry.requests("/manifests/")).hasSize(3);
        assertThat(registry.content.manifests).as("sent for the tags").containsOnlyKeys(old);
    }

    @Test
    void aTagThatEndsOnAnotherManifestIsSaid() throws IOException {
        Path source = Files.createDirectories(folder.resolve("source"));
        Files.writeString(source.resolve("run.sh"), "#!/bin/sh\n");
        String other = "sha256:" + "0".repeat(64);
        registry.replace("/manifests/stable", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Docker-Content-Digest", other);
            exchange.sendResponseHeaders(201, -1);
        });

        try (var client = client()) {
            var options = PushOptions.DEFAULT.throughOci(true).withTags(List.of(new Tag("stable")));
            assertThatThrownBy(() -> client.push(source, KIT, options))
                    .isInstanceOf(SheafException.Integrity.class)
                    .hasMessageContaining("stable")
                    .hasMessageContaining(other);
        }
    }
}
