package dev.sheaf.client.cache;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.OwnerOnly;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.VersionSelector;
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
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// The cached answers of a registry to resolve requests, stored next to the content in the cache. They save
/// requests and allow working offline. They are not trusted: content is always compared with the digests.
///
/// ```
/// answers/<registry>/<bundle>/<caller>-<question>   one answer
/// answers/<registry>/<bundle>/changed               when this machine last changed the bundle
/// ```
/// The names are hashes. They depend on the caller, so that answers for one credential are never used for another.
/// Safe for use by several threads and processes.
public final class AnswerCache {
    private static final Pattern BUNDLE =
            Pattern.compile("^/v1/namespaces/([^/]+)/bundles/([^/:]+)|^/v2/([^/]+)/([^/]+)/manifests/");

    /// The lifetime of the answer for a tag, a range or the default. It is long enough for a script that asks
    /// again immediately, and short enough for a person who moved a tag and waits for the change.
    static final Duration MOVING = Duration.ofSeconds(30);

    /// The lifetime of the answer for an exact version or a digest. Its content never changes, but the version
    /// may be yanked, or recalled.
    static final Duration FIXED = Duration.ofMinutes(5);

    private static final String CHANGED = "changed";

    private final Path folder;
    private final Supplier<String> asker;
    private volatile @Nullable String askerWord;

    /// A question for resolve.
    ///
    /// @param minAge the minimum age of the version; null means no minimum
    public record Question(Reference reference, @Nullable Duration minAge) {
        public Question(Reference reference) {
            this(reference, null);
        }

        private Duration lifetime() {
            return reference.selector() instanceof VersionSelector.ByVersion
                            || reference.selector() instanceof VersionSelector.ByDigest
                    ? FIXED
                    : MOVING;
        }
    }

    /// A cached answer.
    ///
    /// @param asked when the request was sent that fetched or confirmed the answer
    /// @param etag null if it was the answer to another question with the same meaning
    /// @param document the JSON that the registry sent; `resolution` is parsed from it
    public record Kept(Instant asked, @Nullable String etag, JsonNode document, Resolution resolution) {
        public static Kept of(Instant asked, @Nullable String etag, JsonNode document) {
            return new Kept(asked, etag, document, ResolutionParser.of(document));
        }
    }

    /// @param asker identifies the credential, see [dev.sheaf.client.api.Bearer#identity]
    public AnswerCache(Path cache, RegistryUrl registry, Supplier<String> asker) {
        this.folder = folder(cache).resolve(registry.scheme() + "_" + registry.folderName());
        this.asker = asker;
    }

    /// Returns the folder with the answers of all registries.
    static Path folder(Path cache) {
        return cache.resolve("answers");
    }

    /// Returns the last answer of any age.
    public Optional<Kept> find(Question question) {
        try {
            var kept = WireJson.document(Files.readAllBytes(file(question)), "Kept");
            return Optional.of(Kept.of(
                    Instant.parse(kept.path("asked").asString("")),
                    kept.path("etag").asString(null),
                    kept.path("resolution")));
        } catch (IOException | DateTimeException | SheafException.Server e) {
            return Optional.empty(); // absent, or damaged, which counts as absent
        }
    }

    /// Returns whether the answer may be used at this time without asking again.
    public boolean isFresh(Question question, Kept kept, Instant now) {
        var age = Duration.between(kept.asked(), now);
        return !age.isNegative()
                && age.compareTo(question.lifetime()) < 0
                && kept.asked().isAfter(lastChange(question.reference().repository()));
    }

    public void remember(Question question, Kept kept) throws IOException {
        byte[] text;
        try {
            text = WireJson.write(text(kept));
        } catch (JacksonException e) {
            return; // as deeply nested as JSON may be, so the file would be nested too deeply
        }
        write(folder(question.reference().repository()), name(question), text);
    }

    private static JsonNode text(Kept kept) {
        return WireJson.object()
                .put("asked", kept.asked().toString())
                .put("etag", kept.etag())
                .set("resolution", kept.document());
    }

    public void forget(Question question) {
        try {
            Files.deleteIfExists(file(question));
        } catch (IOException e) {
            // the answer expires anyway
        }
    }

    /// Records that this machine may have changed the bundle of this `/v1` request or this `/v2` request for a
    /// manifest. Answers to requests sent before `now` are no longer fresh. They are kept for offline use.
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
            return Instant.MAX; // unknown: no answer is fresh
        }
    }

    /// Removes answers last written before `then`.
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

    /// Computes the name only once, since asking a keyring may be slow.
    private String asker() {
        String known = askerWord;
        if (known == null) {
            known = asker.get();
            askerWord = known;
        }
        return known;
    }

    /// Returns a short hash, since some platforms limit the length of paths.
    private static String hash(String text) {
        return Digest.sha256(text.getBytes(StandardCharsets.UTF_8)).hex().substring(0, 32);
    }
}
