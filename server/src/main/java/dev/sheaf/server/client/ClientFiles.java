package dev.sheaf.server.client;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The files of the command line that stand beside this server: in its installation, or in the clone from which
/// it runs. Nothing is packed ahead of time, so no byte of them is stored twice.
///
/// @param version the version of the client
/// @param all sorted by their paths in the client's folder
/// @param runtimes the files of Java for each system that has one, such as `linux-x64`
/// @param packages the Debian packages of this version that the operator has put there
public record ClientFiles(String version, List<Part> all, SortedMap<String, List<Part>> runtimes, List<Path> packages) {
    /// The system property with the folder of the client's files. Without it they are looked for beside the
    /// server's jar.
    public static final String PROPERTY = "sheaf.client";

    private static final String JAR = "sheaf-cli-";
    private static final String ENDING = ".jar";

    /// The folder with what is only for other machines: Java in a folder for each system, and Debian packages.
    private static final String OTHERS = "client";

    private static final Pattern SYSTEM = Pattern.compile("(?:linux|macos)-(?:x64|arm64)");

    public ClientFiles {
        all = List.copyOf(all);
        runtimes = Collections.unmodifiableSortedMap(new TreeMap<>(runtimes));
        packages = List.copyOf(packages);
    }

    /// A file.
    ///
    /// @param path its path in the client's folder
    /// @param executable whether it is run as a program
    public record Part(String path, Path file, boolean executable) {}

    /// Finds the files beside this program. Empty if there are none, as where only the server was built.
    public static Optional<ClientFiles> beside() {
        String named = System.getProperty(PROPERTY, "");
        return (named.isEmpty() ? home() : Optional.of(Path.of(named)))
                .flatMap(home -> in(home, ClientFiles.class.getPackage().getImplementationVersion()));
    }

    /// Returns the folder of the installation, whose `lib` has the server's jar, or of the clone, where it is in
    /// `server/target`.
    private static Optional<Path> home() {
        try {
            var source = ClientFiles.class.getProtectionDomain().getCodeSource();
            var folder = source == null
                    ? null
                    : Path.of(source.getLocation().toURI()).getParent();
            if (folder == null) {
                return Optional.empty();
            }
            return Optional.ofNullable(folder.endsWith("server/target") ? folder.resolve("../..") : folder.getParent())
                    .map(Path::normalize);
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Optional.empty(); // not a file
        }
    }

    /// Finds the files in the folder of an installation or a clone.
    ///
    /// @param version the version that they must have; null for any
    static Optional<ClientFiles> in(Path home, @Nullable String version) {
        try {
            for (Path lib : List.of(home.resolve("lib"), home.resolve("cli/target"))) {
                var jar = jar(lib, version);
                var launcher = launcher(home);
                if (jar.isPresent() && launcher.isPresent()) {
                    return Optional.of(collect(home, launcher.get(), jar.get()));
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the launcher, which the container image has in `packaging`.
    private static Optional<Path> launcher(Path home) {
        return Stream.of(home.resolve("packaging/sheaf"), home.resolve("sheaf"))
                .filter(Files::isRegularFile)
                .findFirst();
    }

    private static Optional<Path> jar(Path lib, @Nullable String version) throws IOException {
        if (!Files.isDirectory(lib)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(lib)) {
            return files.filter(file -> {
                        String name = file.getFileName().toString();
                        return version == null
                                ? name.startsWith(JAR) && name.endsWith(ENDING)
                                : name.equals(JAR + version + ENDING);
                    })
                    .max(Path::compareTo);
        }
    }

    private static ClientFiles collect(Path home, Path launcher, Path jar) throws IOException {
        String name = jar.getFileName().toString();
        var parts = new ArrayList<Part>();
        parts.add(new Part("sheaf", launcher, true));
        parts.add(new Part("packaging/cli.options", home.resolve("packaging/cli.options"), false));
        for (String more : List.of("LICENSE", "packaging/cli.classes.gz")) {
            if (Files.exists(home.resolve(more))) {
                parts.add(new Part(more, home.resolve(more), false));
            }
        }
        if (Files.exists(home.resolve("packaging/cli.classes.gz"))) { // which it makes a cache of
            parts.add(new Part("packaging/train", home.resolve("packaging/train"), true));
        }
        parts.add(new Part("lib/" + name, jar, false));
        for (String library : libraries(jar)) {
            parts.add(new Part("lib/" + library, jar.resolveSibling(library), false));
        }
        String version = name.substring(JAR.length(), name.length() - ENDING.length());
        var runtimes = new TreeMap<String, List<Part>>();
        var packages = new ArrayList<Path>();
        Path others = home.resolve(OTHERS);
        if (Files.isDirectory(others)) {
            try (Stream<Path> files = Files.list(others)) {
                for (Path other : files.sorted().toList()) {
                    String named = other.getFileName().toString();
                    if (SYSTEM.matcher(named).matches()) {
                        runtimes.put(named, runtime(other, named));
                    } else if (named.matches("sheaf-client_" + Pattern.quote(version) + "_[a-z0-9]+\\.deb")) {
                        packages.add(other);
                    }
                }
            }
        }
        return new ClientFiles(version, parts, runtimes, packages);
    }

    /// The launcher looks for Java in a folder with the name of the system, so an archive may have several.
    private static List<Part> runtime(Path folder, String system) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            var parts = new ArrayList<Part>();
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String path = folder.relativize(file).toString().replace(File.separatorChar, '/');
                parts.add(new Part("runtime-" + system + "/" + path, file, Files.isExecutable(file)));
            }
            return parts;
        }
    }

    /// Returns the libraries that the jar names, which may share their folder with those of the server.
    private static List<String> libraries(Path jar) throws IOException {
        try (var opened = new JarFile(jar.toFile())) {
            var manifest = opened.getManifest();
            String names =
                    manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            return names == null ? List.of() : List.of(names.split(" "));
        }
    }
}
