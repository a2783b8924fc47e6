package dev.sheaf.server.org.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.org.ReservedNames;
import dev.sheaf.server.testing.OnEveryStack;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which names nobody can have (contract 2).
class ReservedNamesTest extends OnEveryStack {
    /// Otherwise the pages of such a namespace would be those of the route.
    @Test
    void theFirstSegmentOfEveryRouteIsReserved() {
        var first = new TreeSet<String>();
        for (Route route :
                Stream.concat(app().routes().stream(), app().pages().stream()).toList()) {
            first.add((route.pattern() + "/").split("/", -1)[1].replaceAll(":.*", ""));
        }
        first.removeAll(List.of("", "-")); // no names: a name begins with a letter or digit

        assertThat(first).contains("v1", "v2", "health", "admin", "login");
        for (String segment : first) {
            if (segment.matches("[a-z0-9-]+")) {
                assertThat(ReservedNames.contains(new Namespace(segment)))
                        .as("%s is reserved", segment)
                        .isTrue();
            } else {
                assertThatThrownBy(() -> new Namespace(segment)).isInstanceOf(ProblemException.class);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "login",
                "new",
                "account",
                "organizations",
                "device",
                "invitations",
                "setup",
                "mcp",
                "image",
                "agentskill",
                "apm",
                "ard",
                "reviews",
                "advisories",
                "client",
                "metrics",
                "log",
                "admin",
                "api",
                "v1",
                "v2",
                "hub",
                "con",
                "nul",
                "com1",
                "oauth",
                "limits",
                "events",
                "users",
                "search",
                "official",
                "verified",
                "l0gin",
                "xn--80ak6aa92e",
                "irnage",
                "m-c-p",
                "new-"
            })
    void wordsOfTheRegistryCannotBeClaimed(String name) {
        var created = app().post("/v1/organizations/default/namespaces", app().admin(), """
                {"handle": "%s"}""".formatted(name));
        var pushed = app().post("/v1/namespaces/" + name + "/bundles/kit:push", app().admin(), """
                {"version": "1.0.0", "manifest": [{"logicalPath": "a", "contentText": "x"}]}""");
        var uploaded = app().post("/v2/" + name + "/kit/blobs/uploads/", app().admin(), "");

        boolean isName = !name.endsWith("-");
        assertThat(created.status()).isEqualTo(422);
        assertThat(created.problem().code()).isEqualTo(isName ? "name-reserved" : "validation-failed");
        assertThat(pushed.status()).isIn(404, 422);
        assertThat(uploaded.status()).isIn(400, 403, 404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"login", "new", "tags", "assets", "versions", "git", "json", "latest"})
    void bundlesMayHaveWordsThatStandWhereNoRouteHasOne(String slug) {
        var reply = app().post("/v1/namespaces/words/bundles/" + slug + ":push", app().admin(), """
                {"version": "1.0.0", "manifest": [{"logicalPath": "a", "contentText": "x"}]}""");

        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        assertThat(app().get("/v1/namespaces/words/bundles/" + slug, app().admin())
                        .status())
                .isEqualTo(200);
    }

    @Test
    void noBundleEndsLikeARepositoryOfGitOrADocument() {
        for (String slug : List.of("kit.git", "kit.json", ".git", ".json")) {
            assertThat(ReservedNames.endsLikeAnother(slug)).isTrue();
            assertThat(app().post("/v1/namespaces/words/bundles", app().admin(), """
                    {"slug": "%s", "name": "x"}""".formatted(slug))
                            .status())
                    .isEqualTo(422);
        }
        assertThat(ReservedNames.endsLikeAnother(new BundleName("git").value())).isFalse();
        assertThat(ReservedNames.endsLikeAnother("kit.jsonl")).isFalse();
    }
}
