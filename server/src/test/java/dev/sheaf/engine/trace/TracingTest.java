package dev.sheaf.engine.trace;

import static dev.sheaf.engine.trace.TraceReceiver.attributes;
import static dev.sheaf.engine.trace.TraceReceiver.parent;
import static dev.sheaf.engine.trace.TraceReceiver.trace;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Stack;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// What a collector gets of requests that come through a trusted proxy.
class TracingTest extends OnEveryStack {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";

    private final TraceReceiver collector = new TraceReceiver();

    @Override
    public Map<String, String> settings() {
        return Map.of(
                "trace-endpoint",
                collector.url(),
                "trace-headers",
                "Authorization=Bearer abc, X-Tenant=one",
                "trusted-proxies",
                "127.0.0.0/8");
    }

    @AfterAll
    void stopCollector() {
        collector.close();
    }

    @Test
    void aPushIsATreeOfItsTransactionsAndItsCallsToTheBucket() {
        String traceId = app().push("traced/kit", "1.0.0", "public", "# Kit " + "x".repeat(200_000))
                .header("X-Trace-Id");

        var request = collector.request(traceId);
        var below = collector.below(request);

        assertThat(request.getName()).isEqualTo("POST /v1/namespaces/{namespace}/bundles/{bundle}:push");
        assertThat(parent(request)).isEmpty();
        assertThat(attributes(request))
                .containsEntry("http.request.method", "POST")
                .containsEntry("http.route", "/v1/namespaces/{namespace}/bundles/{bundle}:push")
                .containsEntry("http.response.status_code", "201")
                .containsEntry("url.scheme", "http")
                .containsEntry("server.address", "127.0.0.1")
                .doesNotContainKeys("sheaf.problem", "error.type");
        assertThat(below).extracting(Span::getName).contains("write transaction");
        assertThat(below)
                .filteredOn(span -> span.getName().equals("write transaction"))
                .allSatisfy(span -> assertThat(attributes(span))
                        .isEqualTo(Map.of(
                                "db.system.name",
                                stack() == Stack.SQLITE ? "sqlite" : "postgresql",
                                "db.operation.name",
                                "write")));
        assertThat(below.stream().anyMatch(span -> span.getName().equals("S3/PutObject")))
                .isEqualTo(stack() == Stack.POSTGRES_AND_BUCKET);
        assertThat(below).allSatisfy(span -> {
            assertThat(span.getStartTimeUnixNano()).isGreaterThanOrEqualTo(request.getStartTimeUnixNano());
            assertThat(span.getEndTimeUnixNano()).isLessThanOrEqualTo(request.getEndTimeUnixNano());
        });
        assertThat(collector.resource()).containsEntry("service.name", "sheaf").containsKey("service.version");
        assertThat(collector.headers().getFirst().toString()).contains("Bearer abc", "X-tenant=[one]");
    }

    @Test
    void aRequestContinuesTheTraceOfItsProxy() {
        app().send(app().request("GET", "/v1/namespaces/none/bundles/none", null, null)
                .header("X-Request-Id", "continued-" + stack())
                .header("traceparent", "00-" + TRACE + "-" + SPAN + "-01"));

        Eventually.within(
                SOON,
                () -> collector.spans().stream()
                        .anyMatch(span -> attributes(span).containsValue("continued-" + stack())));
        var request = collector.spans().stream()
                .filter(span -> attributes(span).containsValue("continued-" + stack()))
                .findFirst()
                .orElseThrow();
        assertThat(trace(request)).isEqualTo(TRACE);
        assertThat(parent(request)).isEqualTo(SPAN);
    }

    @Test
    void aProxyThatDoesNotRecordItsTraceIsNotRecordedHere() {
        String unrecorded = "5bf92f3577b34da6a3ce929d0e0e4736";
        var reply = app().send(app().request("GET", "/health/live", null, null)
                .header("traceparent", "00-" + unrecorded + "-" + SPAN + "-00"));
        String later = app().get("/health/live", null).header("X-Trace-Id");

        collector.request(later);
        assertThat(reply.header("X-Trace-Id")).isEqualTo(unrecorded);
        assertThat(collector.spans()).noneMatch(span -> trace(span).equals(unrecorded));
    }

    @Test
    void aRefusalHasItsStatusAndCodeAndNothingOfWhatWasSent() {
        String traceId = app().get("/v1/namespaces/hidden-name/bundles/hidden-kit?token=hidden-query", app().admin())
                .header("X-Trace-Id");

        var request = collector.request(traceId);

        assertThat(attributes(request))
                .containsEntry("http.response.status_code", "404")
                .containsEntry("sheaf.problem", "bundle-not-found")
                .doesNotContainKey("error.type");
        assertThat(request.getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_UNSET);
        assertThat(collector.spans())
                .allSatisfy(span -> assertThat(span.toString()).doesNotContain("hidden", app().admin(), "SELECT"));
    }

    @Test
    void aMadeUpMethodAndPathAreNotNames() {
        String traceId = app().send("BREW", "/v1/made-up", null, null).header("X-Trace-Id");

        var request = collector.request(traceId);

        assertThat(request.getName()).isEqualTo("HTTP");
        assertThat(attributes(request))
                .containsEntry("http.request.method", "_OTHER")
                .doesNotContainKey("http.route");
    }

    @Test
    void theTraceIsAnExemplarOfTheTimeOfItsRequest() {
        String traceId =
                app().get("/.well-known/oauth-authorization-server", null).header("X-Trace-Id");
        collector.request(traceId);

        var page = app().send(app().request("GET", "/metrics", app().admin(), null)
                .setHeader("Accept", "application/openmetrics-text; version=1.0.0"));
        assertThat(page.text())
                .containsPattern("sheaf_http_request_seconds_bucket\\{method=\"GET\","
                        + "route=\"/.well-known/oauth-authorization-server\",status=\"2xx\",le=\"[0-9.]+\"} 1"
                        + " # \\{span_id=\"[0-9a-f]{16}\",trace_id=\"" + traceId + "\"}");
        assertThat(app().get("/metrics", app().admin()).text()).doesNotContain(traceId);
    }

    @Test
    void sentSpansAreCounted() {
        String traceId = app().get("/health/live", null).header("X-Trace-Id");
        collector.request(traceId);
        var sent = Pattern.compile("sheaf_trace_spans_total\\{result=\"sent\"} [1-9]");

        Eventually.within(
                SOON,
                () -> sent.matcher(app().get("/metrics", app().admin()).text()).find());
        assertThat(app().get("/metrics", app().admin()).text())
                .contains("sheaf_trace_spans_total{result=\"dropped\"} 0.0")
                .contains("sheaf_trace_spans_total{result=\"failed\"} 0.0");
    }
}
