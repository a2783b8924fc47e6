package dev.sheaf.client.cache;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.Json;
import dev.sheaf.client.io.OwnerOnly;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Selector;
import dev.sheaf.model.wire.bundle.Resolution;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What a registry answered to resolve, beside the content in the cache, so that it need not be asked each time,
/// and need not be there at all. Nothing here is trusted: what an answer names is compared with its digest as ever.
///
/// ```
/// answers/<registry>/<bundle>/<who asked>-<what was asked>   one answer
/// answers/<registry>/<bundle>/changed                        when this machine last changed the bundle
/// ```
/// The names are hashes. Who asked is part of them, so that what one credential was told is never told to another.
/// Thread-safe, also between processes.
public final class Answers {
    private static final Pattern BUNDLE =
            Pattern.compile("^/v1/namespaces/([^/]+)/bundles/([^/:]+)|^/v2/([^/]+)/([^/]+)/manifests/");

    /// For how long what a tag, a range or nothing at all meant is taken as it was: for a script that asks again at
    /// once, and no longer than somebody who moved a tag waits to see it.
    static final Duration MOVING = Duration.ofSeconds(30);

    /// The same for an exact version or a digest, whose content never changes, but which may be yanked.
    static final Duration FIXED = Duration.ofHours(1);

    private static final String CHANGED = "changed";

    private final Path folder;
    private final Supplier<String> asker;
    private volatile @Nullable String askerWord;

    /// What is asked of resolve.
    ///
    /// @param minAge how long a version must have been out; null: not at all
    public record Question(Reference reference, @Nullable Duration minAge) {
        public Question(Reference reference) {
            this(reference, null);
        }

        private Duration lifetime() {
            return reference.selector() instanceof Selector.ByVersion
                            || reference.selector() instanceof Selector.ByDigest
                    ? FIXED
                    : MOVING;
        }
    }

    /// An answer.
    ///
    /// @param asked when the request left that brought it, or that was told that it still holds
    /// @param etag null where it was given to another question that means the same
    /// @param document as the registry wrote it, of which `resolution` is made
    public record Kept(Instant asked, @Nullable String etag, JsonNode document, Resolution resolution) {
        public static Kept of(Instant asked, @Nullable String etag, JsonNode document) {
            return new Kept(asked, etag, document, Resolutions.of(document));
        }
    }

    /// @param asker a word for the credential, see [dev.sheaf.client.api.Bearer#identity]
    public Answers(Path cache, RegistryUrl registry, Supplier<String> asker) {
        this.folder = folder(cache).resolve(registry.scheme() + "_" + registry.folderName());
        this.asker = asker;
    }

    /// Where the answers of all registries are.
    static Path folder(Path cache) {
        return cache.resolve("answers");
    }

    /// The last answer, however old.
    public Optional<Kept> find(Question question) {
        try {
            var kept = Json.document(Files.readAllBytes(file(question)), "Kept");
            return Optional.of(Kept.of(
                    Instant.parse(kept.path("asked").asString("")),
                    kept.path("etag").asString(null),
                    kept.path("resolution")));
        } catch (IOException | DateTimeException | SheafException.Server e) {
            return Optional.empty(); // absent or damaged: as if it had never been
        }
    }

    /// Whether the answer may be used at this time without asking again.
    public boolean isFresh(Question question, Kept kept, Instant now) {
        var age = Duration.between(kept.asked(), now);
        return !age.isNegative()
                && age.compareTo(question.lifetime()) < 0
                && kept.asked().isAfter(lastChange(question.reference().repository()));
    }

    public void remember(Question question, Kept kept) throws IOException {
        write(folder(question.reference().repository()), name(question), Json.write(text(kept)));
    }

    private static JsonNode text(Kept kept) {
        return Json.object()
                .put("asked", kept.asked().toString())
                .put("etag", kept.etag())
                .set("resolution", kept.document());
    }

    public void forget(Question question) {
        try {
            Files.deleteIfExists(file(question));
        } catch (IOException e) {
            // it is asked for again soon enough
        }
    }

    /// Notes that this machine may just have changed the bundle that a request of `/v1` or for a manifest of `/v2`
    /// was about: every answer to a request that left before `now` has to be asked for again. They stay, for
    /// whoever goes without the registry.
    public void changed(URI request, Instant now) throws IOException {
        var about = BUNDLE.matcher(request.getPath());
        if (about.find()) {
            String name = about.group(1) == null
                    ? about.group(3) + "/" + about.group(4)
                    : about.group(1) + "/" + about.group(2);
            write(folder(RepositoryName.parse(name)), CHANGED, now.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    private Instant lastChange(RepositoryName bundle) {
        try {
            return Instant.parse(Files.readString(folder(bundle).resolve(CHANGED)));
        } catch (NoSuchFileException e) {
            return Instant.MIN;
        } catch (IOException | DateTimeException e) {
            return Instant.MAX; // not known, so nothing is fresh
        }
    }

    /// Removes what was last written before `then`.
    public static void prune(Path cache, Instant then) throws IOException {
        if (!Files.isDirectory(folder(cache))) {
            return;
        }
        try (var files = Files.walk(folder(cache))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(then)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private static void write(Path folder, String name, byte[] bytes) throws IOException {
        OwnerOnly.makeFolder(folder);
        Path fresh = OwnerOnly.makeFile(folder);
        try {
            Files.write(fresh, bytes);
            Files.move(
                    fresh, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private Path folder(RepositoryName bundle) {
        return folder.resolve(hash(bundle.toString()));
    }

    private Path file(Question question) {
        return folder(question.reference().repository()).resolve(name(question));
    }

    private String name(Question question) {
        return hash(asker()) + "-" + hash(question.reference() + " " + question.minAge());
    }

    /// Asked for once, since a keyring may take its time.
    private String asker() {
        String known = askerWord;
        if (known == null) {
            known = asker.get();
            askerWord = known;
        }
        return known;
    }

    /// Short, for platforms that know no long paths.
    private static String hash(String text) {
        return Digest.sha256(text.getBytes(StandardCharsets.UTF_8)).hex().substring(0, 32);
    }
}
