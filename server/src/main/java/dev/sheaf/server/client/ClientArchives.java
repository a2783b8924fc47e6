package dev.sheaf.server.client;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.model.Digest;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Archives of the client. Its files are looked for and read once. The archives are assembled from them for each
/// download, always with the same bytes; only their digests are kept. Thread-safe.
public final class ClientArchives {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Supplier<Optional<ClientFiles>> source;
    private final CpuPool cpu;
    private final ReentrantLock making = new ReentrantLock();
    private volatile @Nullable Known known;

    /// @param source finds the files; called once, for the first page that needs them
    public ClientArchives(Supplier<Optional<ClientFiles>> source, CpuPool cpu) {
        this.source = source;
        this.cpu = cpu;
    }

    /// What an archive is for.
    public enum Kind {
        /// For any system with a shell and Java.
        TAR(".tar.gz"),
        /// For npm, which wants its files in the folder `package` with a `package.json`.
        NPM(".tgz");

        private final String ending;

        Kind(String ending) {
            this.ending = ending;
        }
    }

    /// The archives of one version.
    public record Set(String version, List<Archive> all) {
        public Set {
            all = List.copyOf(all);
        }

        public Archive of(Kind kind) {
            return all.stream()
                    .filter(archive -> archive.kind == kind)
                    .findFirst()
                    .orElseThrow();
        }

        public Optional<Archive> named(String name) {
            return all.stream().filter(archive -> archive.name().equals(name)).findFirst();
        }
    }

    /// An archive. Immutable.
    public static final class Archive {
        private final Kind kind;
        private final String version;
        private final SkillArchive archive;
        private final SkillArchive.Facts facts;
        private final FileContents contents;

        private Archive(
                Kind kind, String version, SkillArchive archive, SkillArchive.Facts facts, FileContents contents) {
            this.kind = kind;
            this.version = version;
            this.archive = archive;
            this.facts = facts;
            this.contents = contents;
        }

        public String name() {
            return "sheaf-" + version + kind.ending;
        }

        public Digest digest() {
            return facts.digest();
        }

        public long length() {
            return archive.length();
        }

        /// Writes a part of the archive.
        public void writeTo(OutputStream out, long offset, long count) throws IOException {
            var part = new PartStream(out, offset, count);
            try {
                archive.writeTo(part, facts, contents);
            } catch (PartStream.DoneException e) {
                // the rest of the archive was not asked for
            }
        }
    }

    private interface Writer {
        void writeTo(OutputStream out) throws IOException;
    }

    /// A file of an archive, and where its bytes come from.
    private record Content(String path, boolean executable, Digest digest, long size, Writer writer) {}

    /// @param archives null if this server has no client
    private record Known(@Nullable Set archives) {}

    /// Returns the archives; empty if this server has no client.
    public Optional<Set> find() {
        var found = known;
        return Optional.ofNullable((found == null ? look() : found).archives);
    }

    private Known look() {
        making.lock();
        try {
            var found = known;
            if (found == null) {
                var files = source.get();
                found = new Known(files.isEmpty() ? null : make(files.get()));
                known = found;
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            making.unlock();
        }
    }

    private Set make(ClientFiles files) throws IOException {
        var own = new ArrayList<Content>();
        for (var part : files.all()) {
            byte[] bytes = Files.readAllBytes(part.file());
            var digest = cpu.run(LIMIT, budget -> Digest.sha256(bytes));
            own.add(new Content(
                    part.path(), part.executable(), digest, bytes.length, out -> copy(part, bytes.length, out)));
        }
        var forNpm = new ArrayList<>(own);
        byte[] description = packageJson(files.version());
        forNpm.add(new Content(
                "package.json", false, Digest.sha256(description), description.length, out -> out.write(description)));
        return new Set(
                files.version(),
                List.of(
                        made(Kind.TAR, files.version(), "sheaf-" + files.version() + "/", own),
                        made(Kind.NPM, files.version(), "package/", forNpm)));
    }

    /// A file of another size would break the archive: the server was replaced and runs on.
    private static void copy(ClientFiles.Part part, long size, OutputStream out) throws IOException {
        if (Files.size(part.file()) != size) {
            throw new IOException(part.file() + " has changed since this server started; restart the server");
        }
        Files.copy(part.file(), out);
    }

    private Archive made(Kind kind, String version, String folder, List<Content> contents) throws IOException {
        var files = new ArrayList<ArchiveFile>();
        var byPath = new HashMap<String, Content>();
        for (var content : contents) {
            var file = new ArchiveFile(folder + content.path, content.executable, content.digest, content.size);
            files.add(file);
            byPath.put(file.path(), content);
        }
        var archive = SkillArchive.of(ArchiveForm.TAR_GZ, files);
        FileContents all = (file, out) -> {
            var content = byPath.get(file.path());
            if (content == null) {
                throw new NoSuchFileException(file.path());
            }
            content.writer.writeTo(out);
        };
        return new Archive(kind, version, archive, archive.derive(all, cpu), all);
    }

    private static byte[] packageJson(String version) {
        return """
                {
                  "name": "sheaf",
                  "version": "%s",
                  "description": "The command line of a Sheaf registry. Needs Java 25 or newer, and bash.",
                  "license": "Apache-2.0",
                  "bin": {"sheaf": "sheaf"},
                  "os": ["!win32"]
                }
                """.formatted(version).getBytes(StandardCharsets.UTF_8);
    }
}
