package dev.sheaf.server.ops;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// Health, the OpenAPI document, and a page for every type of problem.
public final class OpsApi {
    private static final String HTML = "text/html; charset=utf-8";
    private static final long RETRY_SECONDS = 5;

    private final Health health;
    private final OperatorAddresses operators;
    private final ProblemPages problems;
    private final byte[] openapi = resource("/openapi.yaml");

    /// @param styleSheet the path of the style sheet for the pages about problems
    public OpsApi(Health health, OperatorAddresses operators, String styleSheet) {
        this.health = health;
        this.operators = operators;
        this.problems = new ProblemPages(styleSheet);
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, "/health/live", RoutePermission.NONE, this::live),
                new Route(GET, "/health/ready", RoutePermission.NONE, this::ready),
                new Route(GET, "/v1/admin/health", RoutePermission.ADMIN, this::report),
                new Route(GET, "/v1/openapi.yaml", RoutePermission.NONE, this::openapi),
                new Route(GET, "/problems", RoutePermission.NONE, this::problems),
                new Route(GET, "/problems/{slug}", RoutePermission.NONE, this::problem));
    }

    private Answer live(Call call) {
        return Answer.ok(Map.of("status", "up")).with("Cache-Control", "no-store");
    }

    /// Returns whether the node is ready; for operators also the state of each part.
    private Answer ready(Call call) {
        health.fault().ifPresent(part -> {
            throw new Problem.Unavailable("this node is not ready: " + part, RETRY_SECONDS).raise();
        });
        return operators.includes(call) ? report(call) : live(call);
    }

    private Answer report(Call call) {
        return Answer.ok(health.report()).with("Cache-Control", "no-store");
    }

    private Answer openapi(Call call) {
        return Answer.bytes(200, "application/yaml", openapi).with("Cache-Control", "public, max-age=300");
    }

    private Answer problems(Call call) {
        return page(problems.index());
    }

    private Answer problem(Call call) {
        String slug = call.parameter("slug");
        return page(problems.page(slug)
                .orElseThrow(() -> new Problem.NotFound("the problem type " + Quoted.of(slug)).raise()));
    }

    private static Answer page(String html) {
        return Answer.bytes(200, HTML, html.getBytes(StandardCharsets.UTF_8))
                .with("Cache-Control", "public, max-age=3600")
                .with("Content-Security-Policy", "default-src 'none'; style-src 'self'");
    }

    private static byte[] resource(String name) {
        try (var in = OpsApi.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the program has no " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
