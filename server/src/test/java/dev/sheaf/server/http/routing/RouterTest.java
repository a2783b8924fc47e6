package dev.sheaf.server.http.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sheaf.model.Gen;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouterTest {
    private static final Router ROUTER = router(
            "/",
            "/v2/",
            "/v2/token",
            "/v2/{namespace}/{bundle}/tags/list",
            "/v2/{namespace}/{bundle}/blobs/{digest}",
            "/v2/{namespace}/{bundle}/blobs/uploads/",
            "/v1/bundles/{bundle}",
            "/v1/bundles/{bundle}:resolve",
            "/v1/bundles/{bundle}/versions/{version}",
            "/v1/bundles/{bundle}/versions/{version}:pull",
            "/v1/bundles/{bundle}/assets/{path...}",
            "/v1/keys/current",
            "/v1/keys/current:rotate",
            "/v1/keys/{id}");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/                                    | /                                            | ",
                "/v2/                                 | /v2/                                         | ",
                "/v1/bundles/kit                      | /v1/bundles/{bundle}                         | bundle=kit",
                "/v1/bundles/kit:resolve              | /v1/bundles/{bundle}:resolve                 | bundle=kit",
                "/v1/bundles/kit%3Aresolve            | /v1/bundles/{bundle}:resolve                 | bundle=kit",
                "/v1/bundles/kit%3aresolve            | /v1/bundles/{bundle}:resolve                 | bundle=kit",
                "/v1/bundles/kit:unknown              | /v1/bundles/{bundle}                         | bundle=kit:unknown",
                "/v1/bundles/k/versions/1.0.0+b       | /v1/bundles/{bundle}/versions/{version}      | bundle=k version=1.0.0+b",
                "/v1/bundles/k/versions/1.0.0%2Bb     | /v1/bundles/{bundle}/versions/{version}      | bundle=k version=1.0.0+b",
                "/v1/bundles/k/versions/^1:pull       | /v1/bundles/{bundle}/versions/{version}:pull | bundle=k version=^1",
                "/v1/bundles/k%2Fx/versions/1         | /v1/bundles/{bundle}/versions/{version}      | bundle=k/x version=1",
                "/v1/bundles/k:resolve/versions/1     | /v1/bundles/{bundle}/versions/{version}      | bundle=k:resolve version=1",
                "/v1/bundles/gr%C3%B6%C3%9Fe          | /v1/bundles/{bundle}                         | bundle=größe",
            })
    void findsTheRoute(String path, String pattern, @Nullable String parameters) {
        var match = found(path);

        assertThat(pattern(match)).isEqualTo(pattern);
        assertThat(spelled(match)).isEqualTo(parameters == null ? "" : parameters);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b/c.md", "a%2Fb%2Fc.md", "a/b%2Fc.md"})
    void takesTheRestInEverySpelling(String rest) {
        var match = found("/v1/bundles/kit/assets/" + rest);

        assertThat(match.parameters()).isEqualTo(Map.of("bundle", "kit", "path", "a/b/c.md"));
    }

    @Test
    void prefersLiteralsToParameters() {
        assertThat(pattern(found("/v1/keys/current"))).isEqualTo("/v1/keys/current");
        assertThat(pattern(found("/v1/keys/other"))).isEqualTo("/v1/keys/{id}");
        assertThat(pattern(found("/v2/a/b/blobs/uploads/"))).isEqualTo("/v2/{namespace}/{bundle}/blobs/uploads/");
    }

    @Test
    void comesBackToTheParameterWhereTheLiteralLeadsNowhere() {
        var match = found("/v2/token/kit/tags/list");

        assertThat(match.parameters()).isEqualTo(Map.of("namespace", "token", "bundle", "kit"));
        assertThat(found("/v2/a/b/blobs/uploads").parameters()).containsEntry("digest", "uploads");
    }

    @Test
    void findsAVerbBehindALiteral() {
        assertThat(pattern(found("/v1/keys/current:rotate"))).isEqualTo("/v1/keys/current:rotate");
        assertThat(pattern(found("/v1/keys/current%3Arotate"))).isEqualTo("/v1/keys/current:rotate");
        assertThat(pattern(found("/v1/keys/current:other"))).isEqualTo("/v1/keys/{id}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*",
                "//",
                "/v1",
                "/v1/bundles",
                "/v1/bundles/",
                "/v1/bundles/kit/",
                "/v1//kit",
                "/v2",
                "/v2/token/",
                "/v2/a//tags/list",
                "/v1/bundles/kit/assets/",
                "/v1/bundles/kit/versions/1/x",
                "/v1/bundles/%",
                "/v1/bundles/%2",
                "/v1/bundles/%zz",
                "/v1/bundles/%-1",
                "/v1/bundles/%ff",
                "/v1/bundles/%c3%28",
                "/v1/bundles/%ED%A0%80",
                "/V1/bundles/kit"
            })
    void findsNothingElse(String path) {
        assertThat(ROUTER.find(path)).isNull();
    }

    @Test
    void findsNothingOrSomethingInAnyTextWithoutFailing() {
        Gen.forAll(5_000, gen -> {
            String path =
                    "/" + gen.of(List.of("v1/bundles/", "v2/", "")) + gen.text("%/:abC3F.+", 0, 20) + gen.anyText(0, 5);

            var match = ROUTER.find(path);

            if (match != null) {
                assertThat(match.parameters().values()).noneMatch(String::isEmpty);
            }
        });
    }

    @Test
    void refusesTablesThatContradictThemselves() {
        assertThatIllegalArgumentException().isThrownBy(() -> router("/a/{x}", "/a/{x}"));
        assertThatIllegalArgumentException().isThrownBy(() -> router("/a/{x}", "/a/{y}/b"));
    }

    @Test
    void namesTheMethodsOfAPathAndHeadWithGet() {
        var routes = List.of(route(RouteMethod.GET, "/a"), route(RouteMethod.PUT, "/a"), route(RouteMethod.POST, "/b"));
        var router = new Router(routes);

        assertThat(Router.methods(Objects.requireNonNull(router.find("/a")).routes()))
                .containsExactlyInAnyOrder("GET", "HEAD", "PUT");
        assertThat(Router.methods(Objects.requireNonNull(router.find("/b")).routes()))
                .containsExactly("POST");
    }

    private static Router.Match found(String path) {
        var match = ROUTER.find(path);
        assertThat(match).as(path).isNotNull();
        return Objects.requireNonNull(match);
    }

    private static String pattern(Router.Match match) {
        return Objects.requireNonNull(match.routes().get(RouteMethod.GET)).pattern();
    }

    private static String spelled(Router.Match match) {
        return String.join(
                " ",
                match.parameters().entrySet().stream()
                        .map(Object::toString)
                        .sorted()
                        .toList());
    }

    private static Router router(String... patterns) {
        return new Router(Stream.of(patterns)
                .map(pattern -> route(RouteMethod.GET, pattern))
                .toList());
    }

    private static Route route(RouteMethod method, String pattern) {
        return new Route(method, pattern, RoutePermission.NONE, call -> Answer.empty(200));
    }
}
