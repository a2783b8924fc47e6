package dev.sheaf.server.client.pages;

import dev.sheaf.server.client.ClientFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/// An installation's files of the client, made up but for the launcher, that nodes of this process hand out until it
/// is closed.
final class ClientTree implements AutoCloseable {
    private final Path home;

    ClientTree(Path home) throws IOException {
        this.home = home;
        Files.createDirectories(home.resolve("packaging"));
        Files.createDirectories(home.resolve("lib/lib"));
        Files.copy(Path.of("../sheaf"), home.resolve("sheaf"), StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(home.resolve("packaging/cli.options"), "-XX:+UseSerialGC\n");
        Files.writeString(home.resolve("packaging/train"), "#!/bin/sh\n");
        library("x".repeat(200_000));
        release("1.2.3");
        System.setProperty(ClientFiles.PROPERTY, home.toString());
    }

    /// Changes what the client has.
    void library(String text) throws IOException {
        Files.writeString(home.resolve("lib/lib/library-1.0.jar"), text);
    }

    /// Adds Java for a system, which prints its arguments.
    void java(String system) throws IOException {
        Path java = home.resolve("client/" + system);
        Files.createDirectories(java.resolve("bin"));
        Files.writeString(java.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        Path program = Files.writeString(java.resolve("bin/java"), "#!/bin/sh\necho \"own java: $*\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /// Adds a file of the operator.
    void other(String name, String text) throws IOException {
        Files.createDirectories(home.resolve("client"));
        Files.writeString(home.resolve("client").resolve(name), text);
    }

    /// Returns the name of the system on which this runs; empty if no archive has Java for it.
    static Optional<String> system() {
        return System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64")
                ? Optional.of("linux-x64")
                : Optional.empty();
    }

    /// Puts a version in place of the one before.
    void release(String version) throws IOException {
        try (var jars = Files.newDirectoryStream(home.resolve("lib"), "*.jar")) {
            for (Path jar : jars) {
                Files.delete(jar);
            }
        }
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "lib/library-1.0.jar");
        try (var out = Files.newOutputStream(home.resolve("lib/sheaf-cli-" + version + ".jar"));
                var jar = new JarOutputStream(out, manifest)) {
            jar.finish();
        }
    }

    @Override
    public void close() {
        System.clearProperty(ClientFiles.PROPERTY);
    }
}
