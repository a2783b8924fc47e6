package dev.sheaf.server.agents;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.http.entity.EntityTag;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.skill.Skills;
import dev.sheaf.server.skill.VersionSkills;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Indexes of skills by "Agent Skills Discovery" 0.2.0, and the lists of versions that have one, in the form in which
/// they are sent. Each is written once and cached. Thread-safe.
public final class SkillIndex {
    static final String SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

    private static final int MAX_ENTRY = 512 << 10;
    private static final int MAX_VERSIONS = 1_000;

    private final Bundles bundles;
    private final Skills skills;
    private final Cache<Key, Json.Written> written = Caffeine.newBuilder()
            .maximumWeight(HeapShare.SKILL_INDEXES.bytes())
            .weigher((Key key, Json.Written json) ->
                    HeapShare.ofArray(json.length()) + HeapShare.ofText(key.toString()) + HeapShare.ENTRY)
            .build();

    public SkillIndex(Bundles bundles, Skills skills) {
        this.bundles = bundles;
        this.skills = skills;
    }

    /// Everything that the JSON depends on.
    private sealed interface Key {
        record OfIndex(
                UUID version, RepositoryName name, @Nullable String only, String place) implements Key {}

        /// A commit that changes a bundle makes another snapshot of it.
        record OfVersions(long snapshot) implements Key {}
    }

    /// @param versions sorted by precedence, newest first, at most 1,000, without yanked ones
    record Versions(String latest, List<String> versions) {}

    record Index(@JsonProperty("$schema") String schema, List<Listed> skills) {}

    /// @param url a path, because clients resolve it against the address that they were redirected to
    record Listed(
            String name,
            String type,
            String description,
            String url,
            String digest,
            String version,
            List<String> files) {}

    Json.Written of(BundleSkills.Target target, Call call) {
        var version = target.version().resolved().version();
        var key = new Key.OfIndex(version.id(), target.bundle().name(), target.only(), place(call));
        return written(key, call, () -> new Index(SCHEMA, listed(target, call)));
    }

    /// Returns the list of the versions of a bundle.
    ///
    /// @param latest the latest version
    Json.Written versions(BundleSnapshot bundle, VersionRow latest, Call call) {
        return written(new Key.OfVersions(bundle.number()), call, () -> {
            var all = bundles.versions(bundle, null, MAX_VERSIONS).stream()
                    .filter(row -> !row.isYanked())
                    .map(VersionRow::version)
                    .map(Version::toString)
                    .toList();
            return new Versions(latest.version().toString(), all);
        });
    }

    private Json.Written written(Key key, Call call, Supplier<Object> content) {
        var known = written.getIfPresent(key);
        if (known != null) {
            return known;
        }
        call.pay();
        byte[] bytes = Json.write(content.get());
        var made = new Json.Written(bytes, EntityTag.of(bytes));
        if (bytes.length <= MAX_ENTRY) {
            written.put(key, made);
        }
        return made;
    }

    List<Listed> listed(BundleSkills.Target target, Call call) {
        String version = target.number();
        String folder = place(call) + "/" + target.bundle().name() + "@" + version.replace("+", "%2B")
                + "/.well-known/agent-skills/";
        return skills.entries(target.bundle().repository(), target.skills()).stream()
                .filter(entry -> target.has(entry.name()))
                .map(entry -> listed(entry, folder, version))
                .toList();
    }

    private static Listed listed(VersionSkills.Entry entry, String folder, String version) {
        return new Listed(
                entry.name(),
                "archive",
                entry.description(),
                folder + entry.name() + entry.form().ending(),
                entry.digest().toString(),
                version,
                entry.files());
    }

    /// Returns the path of the registry on its host: empty, or a path without a trailing slash.
    private static String place(Call call) {
        String base = call.baseUrl();
        int path = base.indexOf('/', base.indexOf("://") + 3);
        return path < 0 ? "" : base.substring(path);
    }
}
