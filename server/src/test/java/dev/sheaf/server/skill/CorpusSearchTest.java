package dev.sheaf.server.skill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.hub.HubBundle;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Real bundles are found by what is written in their skills.
class CorpusSearchTest extends OnEveryStack {
    private static final Pattern DESCRIPTION =
            Pattern.compile("^description:\\s*['\"]?(.+?)['\"]?$", Pattern.MULTILINE);
    private static final Pattern WORD = Pattern.compile("\\b[a-z]{5,12}\\b", Pattern.UNICODE_CHARACTER_CLASS);
    private static final int OF_THE_TEXT = 3_000;

    /// What was read of one SKILL.md.
    ///
    /// @param text the first of it
    private record Skill(String bundle, String description, String text, String all) {}

    private List<Skill> pushed() throws IOException {
        var skills = new ArrayList<Skill>();
        for (Path root : TestApp.corpus()) {
            String bundle = root.getFileName().toString();
            var files = new ArrayList<PublishedSkills.File>();
            try (var all = Files.walk(root)) {
                for (Path file : all.filter(Files::isRegularFile).toList()) {
                    files.add(new PublishedSkills.File(
                            root.relativize(file).toString(), Files.readAllBytes(file), false));
                }
            }
            assertThat(app().post(
                                    bundle("corpus/" + bundle) + ":push",
                                    app().admin(),
                                    PublishedSkills.body("1.0.0", "public", files.stream()))
                            .status())
                    .as(bundle)
                    .isEqualTo(201);
            for (var file : files) {
                if (file.path().endsWith("SKILL.md")) {
                    skills.add(skill(bundle, new String(file.bytes(), StandardCharsets.UTF_8)));
                }
            }
        }
        return skills;
    }

    private static Skill skill(String bundle, String content) {
        var description = DESCRIPTION.matcher(content);
        String text = content.substring(content.indexOf("---", 3) + 3);
        return new Skill(
                bundle,
                description.find() ? description.group(1) : "",
                text.substring(0, Math.min(text.length(), OF_THE_TEXT)),
                content);
    }

    private static TreeSet<String> words(String text) {
        return WORD.matcher(text.toLowerCase(Locale.ROOT))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// Words of these that only one bundle has, no more than three.
    private static List<String> own(TreeSet<String> words, Map<String, HashSet<String>> bundlesOf) {
        return words.stream()
                .filter(word -> bundlesOf.entrySet().stream()
                                .filter(entry -> entry.getKey().startsWith(word))
                                .flatMap(entry -> entry.getValue().stream())
                                .distinct()
                                .count()
                        == 1)
                .limit(3)
                .toList();
    }

    @Test
    void eachBundleIsFirstForItsOwnWords() throws Exception {
        var skills = pushed();
        var bundlesOf = new HashMap<String, HashSet<String>>();
        for (var skill : skills) {
            for (String word : words(skill.all())) {
                bundlesOf.computeIfAbsent(word, key -> new HashSet<>()).add(skill.bundle());
            }
        }
        int asked = 0;
        for (var skill : skills) {
            for (var words : List.of(own(words(skill.description()), bundlesOf), own(words(skill.text()), bundlesOf))) {
                if (!words.isEmpty()) {
                    assertFirst(String.join("%20", words), skill.bundle());
                    asked++;
                }
            }
        }
        assertThat(asked).isGreaterThanOrEqualTo(skills.size());
    }

    private void assertFirst(String words, String bundle) {
        var found = app().get("/api/search?owner=corpus&q=" + words, null).json();
        assertThat(found.at("/skills/0/id").asString("nothing")).as(words).startsWith("corpus/" + bundle + "/");
        var listed =
                app().get("/v1/hub/bundles?namespace=corpus&q=" + words, null).list(HubBundle.class);
        assertThat(listed).extracting(HubBundle::slug).as(words).startsWith(bundle);
    }
}
