package dev.sheaf.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.PublishedSkills;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Packages of APM, skills of ClawHub, the search of ARD, the AI Catalog, indexes and marketplaces show nothing of
/// bundles
/// that are private or deleted, or of versions that are yanked. The routes are those of the node, so a new one is
/// tested by
/// its pattern.
class DerivedListsTest extends OnEveryStack {
    /// What only the hidden content says. Names of bundles are not among them: an answer repeats the name in its
    /// address.
    private static final List<String> OF_PRIVATE = List.of("hush-skill", "HUSHED", "3.3.3");

    /// Texts are not among them: those of a bundle come from the last push, and a yank does not take them back.
    private static final List<String> OF_YANKED = List.of("7.7.7");

    private static final List<String> OF_DELETED = List.of("gone-skill", "VANISHED", "5.5.5");
    private static final List<String> HIDDEN_BUNDLES = List.of("hushkit", "gonekit", "backkit");

    @Override
    public Map<String, String> settings() {
        return Map.of("public-url", "https://sheaf.example", "ai-catalog", "true");
    }

    private void push(String bundle, String version, String visibility, String skill, String words) {
        byte[] text = ("---\nname: " + skill + "\ndescription: " + words + " does it.\n---\n")
                .getBytes(StandardCharsets.UTF_8);
        var file = new PublishedSkills.File("skills/" + skill + "/SKILL.md", text, false);
        var reply = app().post(
                        bundle("lists/" + bundle) + ":push",
                        app().admin(),
                        PublishedSkills.body(version, visibility, Stream.of(file)));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    private void yank(String bundle, String version) {
        assertThat(app().post(bundle("lists/" + bundle) + "/versions/" + version + ":yank", app().admin(), "{}")
                        .status())
                .isEqualTo(200);
    }

    @Override
    public void prepare() {
        push("openkit", "1.0.0", "public", "open-skill", "OPEN");
        push("openkit", "7.7.7", "public", "back-skill", "TAKENBACK");
        yank("openkit", "7.7.7");
        push("backkit", "7.7.7", "public", "back-skill", "TAKENBACK");
        yank("backkit", "7.7.7");
        push("hushkit", "3.3.3", "private", "hush-skill", "HUSHED");
        push("gonekit", "5.5.5", "public", "gone-skill", "VANISHED");
        app().send("DELETE", bundle("lists/gonekit"), app().admin(), null);
        assertThat(app().send(
                                "PATCH",
                                "/v1/organizations/default/namespaces/lists",
                                app().admin(),
                                "{\"skillsIndex\": true}")
                        .status())
                .isEqualTo(200);
    }

    /// Returns whether a route lists what there is; one with a version in its path returns exactly that one.
    private static boolean isList(Route route) {
        return route.method() == RouteMethod.GET
                && Stream.of("/api/", "/apm", "/ard", "/.well-known/", "/{namespace}/", "/{namespace}.git")
                        .anyMatch(route.pattern()::startsWith)
                && !route.pattern().contains("{bundle}.git") // which has all versions
                && !route.pattern().contains("{version}");
    }

    private static List<String> paths(Route route) {
        var paths = new ArrayList<String>();
        for (String bundle : route.pattern().contains("{bundle}")
                ? List.of("openkit", "hushkit", "gonekit", "backkit")
                : List.of("")) {
            for (String skill : List.of("open-skill", "hush-skill", "back-skill", "gone-skill")) {
                paths.add(route.pattern()
                        .replace("{namespace}", "lists")
                        .replace("{bundle}", bundle)
                        .replace("{skill}", skill)
                        .replace("{slug}", skill)
                        .replace("{identifier}", "urn:air:sheaf.example:lists:hushkit:hush-skill")
                        .replace("{path...}", "SKILL.md")
                        .concat(query(route, skill)));
            }
        }
        return paths.stream().distinct().toList();
    }

    /// Routes of ClawHub name their skill in the path or in the query.
    private static String query(Route route, String skill) {
        if (route.pattern().endsWith("/info/refs")) {
            return "?service=git-upload-pack";
        }
        return route.pattern().startsWith("/api/v1/")
                ? "?ownerHandle=lists&q=skill&path=SKILL.md&hash=" + "0".repeat(64) + "&slug=" + skill
                : "?q=skill";
    }

    /// Returns an answer without the names that were asked for, which errors repeat.
    private String answer(String path, @Nullable String key) {
        var reply = app().get(path, key);
        String text = reply.text();
        if (reply.status() == 200) {
            return text;
        }
        assertThat(reply.status()).as(path).isIn(400, 401, 404, 501);
        for (String name : path.split("[/?]|&slug=")) {
            text = text.replace(name.isEmpty() ? "/" : name, "");
        }
        // of a bundle whose versions are all yanked, the reason names the highest
        return text.contains("yanked") ? text.replace("7.7.7", "") : text;
    }

    @Test
    void strangersSeeNothingThatIsHidden() {
        var lists = app().routes().stream().filter(DerivedListsTest::isList).toList();
        assertThat(lists).hasSizeGreaterThan(10);
        var strangers = new ArrayList<@Nullable String>();
        strangers.add(null);
        strangers.add(app().secondOrganization("stranger"));
        strangers.add(app().person("nobody@lists.test", null, null));
        for (var route : lists) {
            for (String path : paths(route)) {
                for (String key : strangers) {
                    String text = answer(path, key);

                    assertThat(text).as(path).doesNotContain(OF_PRIVATE);
                    assertThat(text).as(path).doesNotContain(OF_YANKED);
                    assertThat(text).as(path).doesNotContain(OF_DELETED);
                    if (!route.pattern().contains("{bundle}")) {
                        assertThat(text).as(path).doesNotContain(HIDDEN_BUNDLES);
                    }
                }
            }
        }
    }

    @Test
    void ownersSeeNoYankedAndDeletedOnesEither() {
        for (var route :
                app().routes().stream().filter(DerivedListsTest::isList).toList()) {
            for (String path : paths(route)) {
                String text = answer(path, app().admin());

                assertThat(text).as(path).doesNotContain(OF_YANKED);
                assertThat(text).as(path).doesNotContain(OF_DELETED);
            }
        }
    }

    @Test
    void theSearchOfArdFindsNothingThatIsHidden() {
        for (String words : List.of("HUSHED", "TAKENBACK", "VANISHED", "hushkit", "back-skill", "gone-skill")) {
            var found = app().post("/ard/search", app().admin(), "{\"query\": {\"text\": \"" + words + "\"}}");

            assertThat(found.status()).as(found.text()).isEqualTo(200);
            assertThat(found.text()).as(words).doesNotContain(HIDDEN_BUNDLES);
            assertThat(found.text()).as(words).doesNotContain("hush-skill", "back-skill", "gone-skill");
        }
    }

    /// A commit's id depends on all that it contains.
    @Test
    void theMarketplaceInGitIsTheSameAsIfThereWereNothingHidden() {
        String refs = "/lists.git/info/refs?service=git-upload-pack";
        String before = app().get(refs, null).text();

        push("hushkit2", "1.0.0", "private", "hush-other", "HUSHED");
        push("openkit", "8.8.8", "public", "back-other", "TAKENBACK");
        yank("openkit", "8.8.8");

        assertThat(app().get(refs, null).text()).isEqualTo(before);
        assertThat(app().get(refs, app().admin()).text()).isNotEqualTo(before);
    }
}
