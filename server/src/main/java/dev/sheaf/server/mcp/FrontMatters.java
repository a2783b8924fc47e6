package dev.sheaf.server.mcp;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.skill.Skill;
import dev.sheaf.model.skill.SkillRules;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.skill.Skills;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Optional;

/// The front matter of skills, cached by the digests of their SKILL.md within a limit of memory. Thread-safe.
public final class FrontMatters {
    private static final int MOST_FILES = 512;
    private static final long MOST_BYTES = 16L << 20;

    private final Skills skills;
    private final Cache<Digest, Said> known = Caffeine.newBuilder()
            .maximumWeight(HeapShare.FRONT_MATTERS.bytes())
            .weigher((Digest document, Said said) -> HeapShare.ENTRY + HeapShare.ofArray(2L * said.length()))
            .build();

    public FrontMatters(Skills skills) {
        this.skills = skills;
    }

    /// The parts of a skill's front matter that hosts can show.
    ///
    /// @param json the whole front matter
    record Front(String name, String description, JsonRpcReplies.Raw json) {
        int length() {
            return json.json().length();
        }
    }

    private record Said(Optional<Front> front) {
        int length() {
            return front.map(Front::length).orElse(0);
        }
    }

    /// Returns the front matter if every host can load the skill: its name must equal the name of its folder,
    /// and its size must be within the limits. Empty otherwise.
    ///
    /// @throws ProblemException those of [Skills#text]
    Optional<Front> of(Repository repository, Skill<StoredAsset> skill) {
        if (skill.files().size() > MOST_FILES
                || skill.files().stream().mapToLong(StoredAsset::size).sum() > MOST_BYTES) {
            return Optional.empty();
        }
        var digest = skill.document().digest();
        var said = known.getIfPresent(digest);
        if (said == null) {
            said = new Said(
                    skills.text(repository, skill).filter(SkillRules::isListed).map(FrontMatters::front));
            known.put(digest, said);
        }
        return said.front().filter(front -> front.name().equals(skill.name()));
    }

    private static Front front(SkillText text) {
        String description = SkillRules.listed(text.description().orElseThrow());
        var members = new LinkedHashMap<>(text.frontMatter());
        members.replace("description", description);
        return new Front(
                text.name().orElseThrow(),
                description,
                new JsonRpcReplies.Raw(new String(Json.write(members), StandardCharsets.UTF_8)));
    }
}
