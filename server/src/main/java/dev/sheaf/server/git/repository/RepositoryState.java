package dev.sheaf.server.git.repository;

import dev.sheaf.engine.blob.PrivateFiles;
import dev.sheaf.model.Digest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/// What a repository on disk contains. Its file is replaced after the packs that it names were written, so a killed
/// process leaves the state before or the state after.
///
/// @param packs the size of each pack by the name of its file
/// @param versions in the order of publishing
/// @param unfinished the version after them, if some of its blobs are already in a pack
public record RepositoryState(
        Map<String, Long> packs,
        List<Entry> versions,
        @Nullable Unfinished unfinished) {
    static final String FILE = "versions";
    static final RepositoryState EMPTY = new RepositoryState(Map.of(), List.of(), null);

    private static final String FORMAT = "sheaf-git 2"; // to be raised if versions become other commits
    private static final String NONE = "-";

    /// A version.
    ///
    /// @param commit null if git does not get the version
    /// @param plugin a child of the commit with derived manifests; null if there is none
    public record Entry(
            UUID version,
            @Nullable ObjectId commit,
            @Nullable ObjectId plugin) {}

    /// A version whose commit is not made yet.
    public record Unfinished(UUID version, Map<Digest, ObjectId> blobs) {}

    /// Returns the commit of the last version that has one among the first `count` versions.
    public Optional<ObjectId> tip(int count) {
        for (int i = count - 1; i >= 0; i--) {
            if (versions.get(i).commit() instanceof ObjectId commit) {
                return Optional.of(commit);
            }
        }
        return Optional.empty();
    }

    /// Returns the commits from which all objects of the first `count` versions can be reached.
    Set<ObjectId> tips(int count) {
        return Stream.concat(
                        tip(count).stream(),
                        versions.subList(0, count).stream().map(Entry::plugin).flatMap(Stream::ofNullable))
                .collect(Collectors.toUnmodifiableSet());
    }

    /// Reads the state of a repository. Returns empty if there is none that can be used.
    static Optional<RepositoryState> read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            String text = Files.readString(file);
            int end = text.lastIndexOf("end ");
            return end >= 0 && text.substring(end).equals(end(text.substring(0, end)))
                    ? Optional.of(parsed(text.substring(0, end).lines().toList()))
                    : Optional.empty();
        } catch (RuntimeException | CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static RepositoryState parsed(List<String> lines) {
        if (!lines.getFirst().equals(FORMAT)) {
            throw new IllegalArgumentException("another format");
        }
        var packs = new LinkedHashMap<String, Long>();
        var versions = new ArrayList<Entry>();
        Unfinished unfinished = null;
        for (String line : lines.subList(1, lines.size())) {
            var words = line.split(" ");
            switch (words[0]) {
                case "pack" -> packs.put(words[1], Long.valueOf(words[2]));
                case "version" -> versions.add(new Entry(UUID.fromString(words[1]), id(words[2]), id(words[3])));
                case "unfinished" -> unfinished = new Unfinished(UUID.fromString(words[1]), new LinkedHashMap<>());
                default ->
                    Objects.requireNonNull(unfinished)
                            .blobs()
                            .put(Digest.parse(words[1]), ObjectId.fromString(words[2]));
            }
        }
        return new RepositoryState(packs, versions, unfinished);
    }

    private static @Nullable ObjectId id(String word) {
        return word.equals(NONE) ? null : ObjectId.fromString(word);
    }

    private static String word(@Nullable ObjectId id) {
        return id == null ? NONE : id.name();
    }

    void write(Path folder) throws IOException {
        var text = new StringBuilder(FORMAT).append('\n');
        packs.forEach((name, size) ->
                text.append("pack ").append(name).append(' ').append(size).append('\n'));
        for (var entry : versions) {
            text.append("version ").append(entry.version()).append(' ');
            text.append(word(entry.commit())).append(' ');
            text.append(word(entry.plugin())).append('\n');
        }
        if (unfinished != null) {
            text.append("unfinished ").append(unfinished.version()).append('\n');
            unfinished
                    .blobs()
                    .forEach((digest, id) -> text.append("blob ")
                            .append(digest)
                            .append(' ')
                            .append(id.name())
                            .append('\n'));
        }
        text.append(end(text.toString()));
        Path made = folder.resolve(FILE + ".new");
        Files.deleteIfExists(made);
        try (var out = PrivateFiles.open(made, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            var bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        }
        Files.move(made, folder.resolve(FILE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /// Returns the last line. After a power failure the file may be there without its bytes.
    private static String end(String text) {
        var sum = new CRC32();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return "end " + Long.toHexString(sum.getValue()) + "\n";
    }
}
