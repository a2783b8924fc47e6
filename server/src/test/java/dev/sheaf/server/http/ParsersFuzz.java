package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.sheaf.engine.http.RequestIds;
import dev.sheaf.engine.http.RequestTarget;
import dev.sheaf.engine.http.ServerSite;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.trace.TraceParent;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.CredentialReader;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.http.routing.Router;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the HTTP layer reads, on any bytes.
class ParsersFuzz {
    private static final String MARK = "0123456789abcdef";
    private static final Router ROUTER = new Router(List.of(
            route("/v1/namespaces/{namespace}/bundles/{bundle}"),
            route("/v1/namespaces/{namespace}/bundles/{bundle}:resolve"),
            route("/v1/namespaces/{namespace}/bundles/{bundle}/assets/{path...}"),
            route("/v2/{namespace}/{bundle}/blobs/uploads/"),
            route("/v2/{namespace}/{bundle}/blobs/{digest}")));

    private static final InetSocketAddress HERE = new InetSocketAddress("127.0.0.1", 80);

    private static Route route(String pattern) {
        return new Route(RouteMethod.GET, pattern, RoutePermission.NONE, call -> Answer.empty(204));
    }

    private static String text(byte[] data) {
        return new String(data, StandardCharsets.UTF_8);
    }

    @FuzzTest
    void json(byte[] data) {
        try {
            read(RequestFields.of(Json.read(data)));
        } catch (ProblemException e) {
            assertThat(e.problem().detail()).isNotBlank();
        }
    }

    /// Asks an object for everything in every way.
    private static void read(RequestFields fields) {
        for (String name : List.of("name", "version", "a", "manifest", "visibility")) {
            fields.required(name, 100);
            fields.optional(name, 10);
            fields.flag(name);
            fields.utf8(name, 1_000);
            fields.base64(name);
            fields.parsed(name, Digest::parse, Digest.sha256(new byte[0]));
            fields.texts(name);
            fields.objects(name, 5).forEach(inner -> inner.required("logicalPath", 100));
            var inner = fields.object(name);
            if (inner != null) {
                inner.only(Set.of("b"));
            }
        }
        fields.only(Set.of("name"));
        fields.finish();
    }

    @FuzzTest
    void cursor(byte[] data) {
        try {
            assertThat(PageRequest.key(text(data), MARK)).doesNotContain("\0");
        } catch (ProblemException e) {
            assertThat(e.problem().detail()).isNotBlank();
        }
    }

    @FuzzTest
    void credentials(byte[] data) {
        for (boolean basic : new boolean[] {true, false}) {
            try {
                assertThat(CredentialReader.read(List.of(text(data)), basic)).isPresent();
            } catch (ProblemException e) {
                assertThat(e.problem().detail()).isNotBlank();
            }
        }
    }

    @FuzzTest
    void path(byte[] data) {
        Router.Match match = ROUTER.find(text(data));
        if (match != null) {
            assertThat(match.parameters().values()).isNotEmpty().noneMatch(String::isEmpty);
        }
        @Nullable String decoded = RequestTarget.decode(text(data));
        assertThat(decoded == null || decoded.length() <= text(data).length()).isTrue();
    }

    @FuzzTest
    void ids(byte[] data) {
        var parent = TraceParent.parse(List.of(text(data)));
        assertThat(parent == null || text(data).contains(parent.traceId() + "-" + parent.spanId()))
                .isTrue();
        var ids = RequestIds.of(text(data), parent);
        assertThat(ids.requestId()).matches("[A-Za-z0-9._-]{1,128}");
        assertThat(ids.traceId()).matches("[0-9a-f]{32}");
    }

    @FuzzTest
    void host(byte[] data) {
        var site = new ServerSite(null, List.of());
        String host = text(data);
        assertThat(site.baseUrl(host, () -> site.isKnown(host, HERE), HERE, false))
                .matches("http://[A-Za-z0-9._:\\[\\]-]+");
    }
}
