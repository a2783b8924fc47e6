package dev.sheaf.server.bundle.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.AssetScenario;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Paths that enter obey the rules of today (contract 2).
class PathRulesApiTest extends AssetScenario {
    @ParameterizedTest
    @ValueSource(
            strings = {
                ".git/config",
                ".GIT/HEAD",
                "git~1/x",
                ".git::$INDEX_ALLOCATION/x",
                ".hg/hgrc",
                "a/.svn",
                ".sl/config",
                "cvs/Root",
                "a:b",
                "C:/x",
                "a*b",
                "a|b",
                "trail.",
                "trail ",
                "a /b",
                "...",
                "a\u202Eb",
                "a\u200Bb",
                "a\uFFFEb",
                "a\uFDD0b"
            })
    void everyEndpointRejectsBadPaths(String path) {
        String name = "p" + Integer.toHexString(path.hashCode());
        create(name + "/kit", "private");
        String encoded = URLEncoder.encode(path, StandardCharsets.UTF_8).replace("+", "%20");

        var pushed = app().post(bundle(name + "/kit") + ":push", app().admin(), """
                {"version": "1.0.0", "manifest": [{"logicalPath": "%s", "contentText": "x"}]}""".formatted(path));
        var put = put(assets(name + "/kit") + "/" + encoded, "x");
        var get = app().get(assets(name + "/kit") + "/" + encoded, app().admin());

        pushed.assertRefused("422 validation-failed");
        assertThat(pushed.problem().errors().getFirst().pointer()).isEqualTo("/manifest/0/logicalPath");
        assertThat(pushed.problem().errors().getFirst().code()).isEqualTo("format");
        put.assertRefused("422 validation-failed");
        get.assertRefused("404 asset-not-found");
    }

    /// Two folders that some file systems take for one would become one there, and stay two elsewhere.
    @Test
    void everyEndpointRejectsFoldersThatDifferOnlyInCase() {
        create("folded/kit", "private");

        var pushed = app().post(bundle("folded/kit") + ":push", app().admin(), """
                {"version": "1.0.0", "manifest": [{"logicalPath": "Dir/x.md", "contentText": "x"},
                                                  {"logicalPath": "dir/y.md", "contentText": "y"}]}""");
        var first = put(assets("folded/kit") + "/Dir/x.md", "x");
        var second = put(assets("folded/kit") + "/dir/y.md", "y");

        pushed.assertRefused("422 validation-failed");
        assertThat(pushed.problem().errors().getFirst().code()).isEqualTo("duplicate");
        assertThat(pushed.problem().errors().getFirst().detail())
                .contains("\"dir/y.md\" is in a folder that clashes with \"Dir\"");
        assertThat(first.status()).as(first.text()).isEqualTo(201);
        second.assertRefused("422 validation-failed");
    }
}
