package dev.sheaf.server.http.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.cpu.CpuAccount;
import dev.sheaf.model.key.Scope;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.TokenSubject;
import dev.sheaf.server.http.TinyServer;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.testing.Keys;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@Timeout(60)
@SuppressWarnings("NullAway") // set by JUnit
class DispatcherTest {
    private static final int MEMORY = 4_000_000;

    private final CountDownLatch holding = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private TinyServer server;
    private ChangeOrigin admin;

    @BeforeEach
    void open(@TempDir Path folder) {
        server = new TinyServer(folder, MEMORY, routes());
        admin = server.keys.bootstrap();
    }

    @AfterEach
    void close() {
        release.countDown();
        server.close();
    }

    private List<Route> routes() {
        var routes = new ArrayList<Route>();
        for (RoutePermission need : RoutePermission.values()) {
            routes.add(new Route(RouteMethod.GET, "/needs/" + need, need, DispatcherTest::who));
            routes.add(new Route(RouteMethod.GET, "/{bundle}/needs/" + need, need, DispatcherTest::who));
        }
        routes.add(new Route(RouteMethod.GET, "/json", RoutePermission.NONE, call -> Answer.ok(Map.of("a", 1))));
        routes.add(new Route(RouteMethod.PUT, "/json", RoutePermission.NONE, call -> Answer.empty(204)));
        routes.add(new Route(RouteMethod.GET, "/defect", RoutePermission.NONE, call -> {
            throw new IllegalStateException("hush");
        }));
        routes.add(new Route(RouteMethod.POST, "/body", RoutePermission.NONE, call -> {
            var fields = call.json("the JSON body", 200_000);
            return Answer.ok(Map.of("a", fields.required("a", 200_000).length()));
        }));
        routes.add(new Route(RouteMethod.POST, "/hold", RoutePermission.NONE, call -> {
            call.bytes("the body", 250_000);
            holding.countDown();
            await();
            return Answer.empty(204);
        }));
        routes.add(new Route(
                RouteMethod.GET, "/echo/{rest...}", RoutePermission.NONE, call -> Answer.ok(call.parameter("rest"))));
        routes.add(new Route(
                RouteMethod.GET,
                "/account",
                RoutePermission.PUBLIC_READ,
                call -> Answer.ok(Map.of("now", account(), "identifying", call.identified(DispatcherTest::account)))));
        routes.add(new Route(RouteMethod.GET, "/query", RoutePermission.NONE, call -> Answer.ok(call.queryAll("v"))));
        return routes;
    }

    private void await() {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String account() {
        return String.valueOf(CpuAccount.currentGroup());
    }

    private static Answer who(Call call) {
        return Answer.ok(
                call.caller() instanceof Caller.Known known ? known.scope().toString() : "anonymous");
    }

    @ParameterizedTest
    @CsvSource({
        // need,       none, bad, read, write, admin
        "none,         200,  200, 200,  200,   200",
        "public-read,  200,  401, 200,  200,   200",
        "read,         401,  401, 200,  200,   200",
        "write,        401,  401, 403,  200,   200",
        "admin,        401,  401, 403,  403,   200"
    })
    void letsNobodyPastANeed(String need, int none, int bad, int read, int write, int admin) throws Exception {
        assertThat(server.get("/needs/" + need).statusCode()).isEqualTo(none);
        assertThat(status(need, "shf_bad")).isEqualTo(bad);
        assertThat(status(need, key(Scope.READ))).isEqualTo(read);
        assertThat(status(need, key(Scope.WRITE))).isEqualTo(write);
        assertThat(status(need, key(Scope.ADMIN))).isEqualTo(admin);
    }

    @Test
    void chargesAnOrganizationOrAStrangersAddress() throws Exception {
        var anonymous = json(server.get("/account"));
        var known = json(authorized("/account", key(Scope.READ)));

        assertThat(anonymous.get("now").stringValue()).startsWith("Stranger[");
        assertThat(anonymous.get("identifying").stringValue())
                .as("a caller with a credential must not wait behind strangers until it is checked")
                .isNotEqualTo("null")
                .doesNotContain("Stranger");
        assertThat(known.get("now").stringValue())
                .isEqualTo(admin.caller().organizationId().toString());
    }

    /// Contract 5.3: a token of the registry is made for repositories.
    @Test
    void opensNoRouteWithoutABundleToAnAccessToken() throws Exception {
        var token = server.keys
                .tokens
                .issue(
                        new TokenSubject.Key(admin.caller().credential().id()),
                        new Grant.Limited(Map.of()),
                        Instant.now())
                .expose();

        assertThat(status("admin", token)).isEqualTo(403);
        assertThat(status("read", token)).isEqualTo(403);
        assertThat(status("public-read", token)).isEqualTo(200);
        assertThat(authorized("/kit/needs/read", token).statusCode()).isEqualTo(200);
    }

    @Test
    void answersAnUnknownPathLikeAnyOtherProblem() throws Exception {
        var reply = server.get("/nothing/here?x=1");

        assertThat(reply.statusCode()).isEqualTo(404);
        assertThat(json(reply).get("code").stringValue()).isEqualTo("not-found");
        assertThat(json(reply).get("instance").stringValue()).isEqualTo("/nothing/here");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"})
    void namesTheMethodsThatAPathTakes(String method) throws Exception {
        var reply = server.send(server.request("/json").method(method, BodyPublishers.noBody()));

        assertThat(reply.statusCode()).isEqualTo(405);
        assertThat(reply.headers().firstValue("Allow"))
                .hasValueSatisfying(
                        allow -> assertThat(allow.split(", ")).containsExactlyInAnyOrder("GET", "HEAD", "PUT"));
    }

    @Test
    void answersHeadLikeGetWithoutABody() throws Exception {
        var get = server.get("/json");

        var head = server.send(server.request("/json").HEAD());

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValue("Content-Length"))
                .contains(Integer.toString(get.body().length()));
        assertThat(head.headers().firstValue("ETag")).isEqualTo(get.headers().firstValue("ETag"));
    }

    @Test
    void tellsWhoeverHasTheAnswerAlready() throws Exception {
        String etag = server.get("/json").headers().firstValue("ETag").orElseThrow();

        for (String tags : List.of(etag, "W/" + etag, "\"x\", " + etag, "*")) {
            var reply = server.send(server.request("/json").header("If-None-Match", tags));
            assertThat(reply.statusCode()).as(tags).isEqualTo(304);
            assertThat(reply.body()).isEmpty();
            assertThat(reply.headers().firstValue("ETag")).contains(etag);
        }
        assertThat(server.send(server.request("/json").header("If-None-Match", "\"x\""))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void carriesTheIdsOfTheRequest() throws Exception {
        var reply = server.send(server.request("/json").header("X-Request-Id", "mine-1"));

        assertThat(reply.headers().firstValue("X-Request-Id")).contains("mine-1");
        assertThat(reply.headers().firstValue("X-Trace-Id"))
                .hasValueSatisfying(id -> assertThat(id).matches("[0-9a-f]{32}"));
        assertThat(reply.headers().firstValue("Cache-Control")).contains("private, no-store");
    }

    @Test
    void showsNothingOfADefect() throws Exception {
        var reply = server.get("/defect");

        assertThat(reply.statusCode()).isEqualTo(500);
        assertThat(reply.body()).doesNotContain("hush", "Exception", "dev.sheaf");
        assertThat(json(reply).get("requestId").stringValue())
                .isEqualTo(reply.headers().firstValue("X-Request-Id").orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({"/echo/a%2Fb, a/b", "/echo/a/b, a/b", "/echo/a+b%2B, a+b+", "/echo/gr%C3%B6%C3%9Fe, größe"})
    void decodesPathsOnce(String path, String value) throws Exception {
        assertThat(json(server.get(path)).stringValue()).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v=1.0+b | [\"1.0+b\"]",
                "v=1.0%2Bb | [\"1.0+b\"]",
                "v=a&w=x&v=b | [\"a\",\"b\"]",
                "%76=a | [\"a\"]",
                "v | [\"\"]",
                "w=1 | []"
            })
    void readsQueries(String query, String values) throws Exception {
        assertThat(server.get("/query?" + query).body()).isEqualTo(values);
    }

    @Test
    void readsAQueryThatNobodyEncoded() throws Exception {
        String reply = server.raw("GET /query?v=^1.2||>=2 HTTP/1.1\r\nHost: x\r\n\r\n", "]");

        assertThat(reply).startsWith("HTTP/1.1 200").endsWith("[\"^1.2||>=2\"]");
    }

    @Test
    void refusesABrokenQuery() throws Exception {
        assertThat(server.raw("GET /query?v=%ff HTTP/1.1\r\nHost: x\r\n\r\n", "}"))
                .startsWith("HTTP/1.1 400")
                .contains("is not percent-encoded UTF-8");
    }

    @Test
    void closesTheConnectionWhereTheClientAsksForIt() throws Exception {
        String reply = server.raw("GET /json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "never");

        assertThat(reply).startsWith("HTTP/1.1 200").endsWith("{\"a\":1}");
    }

    @Test
    void takesJsonBodiesUpToTheirLimit() throws Exception {
        assertThat(post("/body", "application/json; charset=utf-8", "{\"a\":\"x\"}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(post("/body", "application/x+json", "{\"a\":\"x\"}").statusCode())
                .isEqualTo(200);
        assertThat(post("/body", "text/plain", "{\"a\":\"x\"}").statusCode()).isEqualTo(415);
        assertThat(post("/body", "application/json", "{").statusCode()).isEqualTo(400);
        assertThat(post("/body", "application/json", "{\"a\":\"" + "x".repeat(200_000) + "\"}")
                        .statusCode())
                .isEqualTo(413);
    }

    @Test
    void boundsABodyOfUnknownLengthAsWell() throws Exception {
        var chunked = BodyPublishers.fromPublisher(BodyPublishers.ofString("{\"a\":\"" + "x".repeat(250_000) + "\"}"));

        assertThat(server.send(server.request("/body").POST(chunked)).statusCode())
                .isEqualTo(413);
    }

    @Test
    void refusesBodiesWhileMemoryIsShortAndTakesThemAfterwards() throws Exception {
        String large = "{\"a\":\"" + "x".repeat(150_000) + "\"}";
        try (var threads = Executors.newSingleThreadExecutor()) {
            var held = threads.submit(() -> post("/hold", "application/json", "y".repeat(200_000)));
            holding.await();

            var refused = post("/body", "application/json", large);

            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            assertThat(refused.body()).contains("\"throttle\":\"memory\"", "memory-budget-bytes");
            assertThat(post("/body", "application/json", "{\"a\":\"x\"}").statusCode())
                    .as("small bodies are free")
                    .isEqualTo(200);
            release.countDown();
            assertThat(held.get().statusCode()).isEqualTo(204);
            assertThat(post("/body", "application/json", large).statusCode()).isEqualTo(200);
        }
    }

    private HttpResponse<String> post(String path, String type, String body) throws Exception {
        return server.send(server.request(path).header("Content-Type", type).POST(BodyPublishers.ofString(body)));
    }

    private int status(String need, String credential) throws Exception {
        return authorized("/needs/" + need, credential).statusCode();
    }

    private HttpResponse<String> authorized(String path, String credential) throws Exception {
        return server.send(server.request(path).header("Authorization", "Bearer " + credential));
    }

    private String key(Scope scope) {
        return Keys.secret(server.keys.create(admin, scope, null, CredentialRestrictions.NONE))
                .expose();
    }

    private static JsonNode json(HttpResponse<String> reply) {
        return Json.read(reply.body().getBytes(StandardCharsets.UTF_8));
    }
}
