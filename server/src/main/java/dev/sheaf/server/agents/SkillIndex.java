package dev.sheaf.server.agents;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.http.entity.EntityTag;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.skill.Skills;
import dev.sheaf.server.skill.VersionSkills;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Indexes of skills by "Agent Skills Discovery" 0.2.0, in the form in which they are sent. Each version's index
/// is written once and cached. Thread-safe.
public final class SkillIndex {
    static final String SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

    private static final int MAX_ENTRY = 512 << 10;

    private final Skills skills;
    private final Cache<Key, Json.Written> written = Caffeine.newBuilder()
            .maximumWeight(HeapShare.SKILL_INDEXES.bytes())
            .weigher((Key key, Json.Written json) ->
                    HeapShare.ofArray(json.length()) + HeapShare.ofText(key.place) + HeapShare.ENTRY)
            .build();

    public SkillIndex(Skills skills) {
        this.skills = skills;
    }

    /// Everything that the JSON depends on.
    private record Key(
            UUID version, RepositoryName name, @Nullable String only, String place) {}

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
        var key = new Key(version.id(), target.bundle().name(), target.only(), place(call));
        var known = written.getIfPresent(key);
        if (known != null) {
            return known;
        }
        call.pay();
        byte[] bytes = Json.write(new Index(SCHEMA, listed(target, call)));
        var made = new Json.Written(bytes, EntityTag.of(bytes));
        if (bytes.length <= MAX_ENTRY) {
            written.put(key, made);
        }
        return made;
    }

    List<Listed> listed(BundleSkills.Target target, Call call) {
        String version = target.version().resolved().version().version().toString();
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
