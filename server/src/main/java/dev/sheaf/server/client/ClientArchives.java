package dev.sheaf.server.client;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.skill.archive.ArchiveFile;
import dev.sheaf.server.skill.archive.ArchiveForm;
import dev.sheaf.server.skill.archive.FileContents;
import dev.sheaf.server.skill.archive.SkillArchive;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Archives of the client. Its files are looked for and read once. The archives are assembled from them for each
/// download, always with the same bytes; only their digests are kept. Thread-safe.
public final class ClientArchives {
    private final Supplier<Optional<ClientFiles>> source;
    private final CpuPool cpu;
    private final AtomicReference<@Nullable CompletableFuture<Optional<Set>>> found = new AtomicReference<>();

    /// @param source finds the files; called for the first page that needs them, and again after a failure
    public ClientArchives(Supplier<Optional<ClientFiles>> source, CpuPool cpu) {
        this.source = source;
        this.cpu = cpu;
    }

    /// What an archive is for.
    public enum Kind {
        /// For any system with a shell and Java.
        TAR("application/gzip"),
        /// The same with Java, for one system.
        WITH_JAVA("application/gzip"),
        /// For npm, which wants its files in the folder `package` with a `package.json`. It has Java for each
        /// system for
        /// which this server has one.
        NPM("application/gzip"),
        /// A Debian package, as the operator has put it there.
        DEBIAN("application/vnd.debian.binary-package");

        private final String mediaType;

        Kind(String mediaType) {
            this.mediaType = mediaType;
        }
    }

    /// The archives of one version.
    public record Set(String version, List<Archive> all) {
        public Set {
            all = List.copyOf(all);
        }

        /// Returns the only archive of its kind.
        public Archive of(Kind kind) {
            return every(kind).getFirst();
        }

        public List<Archive> every(Kind kind) {
            return all.stream().filter(archive -> archive.kind == kind).toList();
        }

        public Optional<Archive> named(String name) {
            return all.stream().filter(archive -> archive.name().equals(name)).findFirst();
        }
    }

    /// An archive. Immutable.
    public static final class Archive {
        private final Kind kind;
        private final String name;
        private final String system;
        private final Digest digest;
        private final long length;
        private final Writer writer;

        private Archive(Kind kind, String name, String system, Digest digest, long length, Writer writer) {
            this.kind = kind;
            this.name = name;
            this.system = system;
            this.digest = digest;
            this.length = length;
            this.writer = writer;
        }

        public Kind kind() {
            return kind;
        }

        public String name() {
            return name;
        }

        /// Returns the systems whose Java it has, such as `linux-x64`; empty if it has none.
        public String system() {
            return system;
        }

        public String mediaType() {
            return kind.mediaType;
        }

        public Digest digest() {
            return digest;
        }

        public long length() {
            return length;
        }

        public void writeTo(OutputStream out) throws IOException {
            writer.writeTo(out);
        }
    }

    private interface Writer {
        void writeTo(OutputStream out) throws IOException;
    }

    /// A file of an archive, and where its bytes come from.
    private record Content(String path, boolean executable, long size, Writer writer) {
        static Content of(ClientFiles.Part part) throws IOException {
            long size = Files.size(part.file());
            return new Content(part.path(), part.executable(), size, out -> copy(part.file(), size, out));
        }
    }

    /// Returns the archives; empty if this server has no client. Calls during the first one share its result,
    /// also a failure; the next call after a failure tries again.
    ///
    /// @throws ProblemException those of [CpuPool#run]
    public Optional<Set> find() {
        var own = new CompletableFuture<Optional<Set>>();
        var other = found.compareAndExchange(null, own);
        if (other != null) {
            return result(other);
        }
        try {
            own.complete(make());
        } catch (IOException | RuntimeException | Error e) {
            found.set(null);
            own.completeExceptionally(e);
        }
        return result(own);
    }

    private static Optional<Set> result(CompletableFuture<Optional<Set>> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ProblemException problem) {
                throw problem;
            }
            if (e.getCause() instanceof IOException failure) {
                throw new UncheckedIOException(failure);
            }
            throw e;
        }
    }

    private Optional<Set> make() throws IOException {
        var files = source.get();
        return files.isEmpty() ? Optional.empty() : Optional.of(make(files.get()));
    }

    private Set make(ClientFiles files) throws IOException {
        String name = "sheaf-" + files.version();
        var own = contents(files.all());
        var archives = new ArrayList<Archive>();
        archives.add(made(Kind.TAR, name + ".tar.gz", "", name + "/", own));
        var forNpm = new ArrayList<>(own);
        byte[] description = packageJson(files.version(), files.runtimes().keySet());
        forNpm.add(new Content("package.json", false, description.length, out -> out.write(description)));
        for (var runtime : files.runtimes().entrySet()) {
            String system = runtime.getKey();
            var withJava = new ArrayList<>(own);
            var java = contents(runtime.getValue());
            withJava.addAll(java);
            forNpm.addAll(java);
            archives.add(made(Kind.WITH_JAVA, name + "-java-" + system + ".tar.gz", system, name + "/", withJava));
        }
        archives.add(
                made(Kind.NPM, name + ".tgz", String.join(", ", files.runtimes().keySet()), "package/", forNpm));
        for (Path debian : files.packages()) {
            archives.add(asItIs(debian));
        }
        return new Set(files.version(), archives);
    }

    private static List<Content> contents(List<ClientFiles.Part> parts) throws IOException {
        var contents = new ArrayList<Content>();
        for (var part : parts) {
            contents.add(Content.of(part));
        }
        return contents;
    }

    /// A file of another size would break the archive: the server was replaced and runs on.
    private static void copy(Path file, long size, OutputStream out) throws IOException {
        if (Files.size(file) != size) {
            throw new IOException(file + " has changed since this server started; restart the server");
        }
        Files.copy(file, out);
    }

    private Archive made(Kind kind, String name, String system, String folder, List<Content> contents)
            throws IOException {
        var files = new ArrayList<ArchiveFile>();
        var byPath = new HashMap<String, Content>();
        for (var content : contents) {
            String path = folder + content.path;
            // only identifies what is kept, and these archives are not
            var unused = Digest.sha256(path.getBytes(StandardCharsets.UTF_8));
            files.add(new ArchiveFile(path, content.executable, unused, content.size));
            byPath.put(path, content);
        }
        var archive = SkillArchive.of(ArchiveForm.TAR_GZ, files);
        FileContents all = (file, out) -> {
            var content = byPath.get(file.path());
            if (content == null) {
                throw new NoSuchFileException(file.path());
            }
            content.writer.writeTo(out);
        };
        var facts = archive.derive(all, cpu);
        return new Archive(
                kind, name, system, facts.digest(), archive.length(), out -> archive.writeTo(out, facts, all));
    }

    private static Archive asItIs(Path file) throws IOException {
        var hash = Digest.Algorithm.SHA256.newHash();
        Files.copy(file, new DigestOutputStream(OutputStream.nullOutputStream(), hash));
        long size = Files.size(file);
        String name = file.getFileName().toString();
        return new Archive(
                Kind.DEBIAN,
                name,
                name.replaceFirst(".*_(.*)\\.deb", "$1"),
                Digest.finish(Digest.Algorithm.SHA256, hash.digest()),
                size,
                out -> copy(file, size, out));
    }

    private static byte[] packageJson(String version, Collection<String> systems) {
        String needs = systems.isEmpty()
                ? "Needs Java 25 or newer, and bash."
                : "Needs bash, and Java 25 or newer on other systems than " + String.join(", ", systems) + ".";
        return """
                {
                  "name": "sheaf",
                  "version": "%s",
                  "description": "The command line of a Sheaf registry. %s",
                  "license": "Apache-2.0",
                  "bin": {"sheaf": "sheaf"},
                  "os": ["!win32"]
                }
                """.formatted(version, needs).getBytes(StandardCharsets.UTF_8);
    }
}
