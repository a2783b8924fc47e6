package dev.sheaf.server.scan.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.bundle.api.PassportApi;
import dev.sheaf.server.bundle.review.PushScan;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.scan.ScannerAnswers;
import dev.sheaf.server.scan.ScannerCalls;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// What scanners of others read and answer. Their only credential is the token of a question.
public final class ScansApi {
    private static final String SCAN = "/v1/scans/{scan_id}";
    private static final Function<String, UUID> ID = PathId.of("scan %s");
    private static final String BEARER = "Bearer ";

    private final ScannerAnswers answers;

    public ScansApi(ScannerAnswers answers) {
        this.answers = answers;
    }

    public List<Route> routes() {
        return List.of(
                new Route(POST, SCAN, RoutePermission.NONE, this::answer),
                new Route(GET, SCAN + "/manifest", RoutePermission.NONE, this::manifest),
                new Route(GET, SCAN + "/blobs/{digest}", RoutePermission.NONE, this::blob));
    }

    private PushScan scan(Call call) {
        UUID id = call.parameter("scan_id", ID);
        String token = call.header("Authorization")
                .filter(header -> header.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .map(header -> header.substring(BEARER.length()).strip())
                .orElse(null);
        return answers.of(id, token);
    }

    private Answer answer(Call call) {
        var scan = scan(call);
        byte[] body = call.bytes("the answer of a scanner", ScannerCalls.MOST);
        answers.answer(
                scan,
                () -> call.parsed("the answer", body, bytes -> ScanAnswers.parse(bytes, scan.scanner())),
                PassportApi.admitting(call));
        return Answer.empty(204);
    }

    private Answer manifest(Call call) {
        var found = answers.manifest(scan(call));
        return Answer.bytes(200, MediaType.OCTETS, found.bytes())
                .with("Docker-Content-Digest", found.manifest().digest().toString())
                .with("Cache-Control", "private, no-store");
    }

    private Answer blob(Call call) {
        var content = answers.blob(scan(call), call.parameter("digest", Digest::parse));
        return Answer.content(200, MediaType.OCTETS, content.length(), out -> content.writeTo(out, 0, content.length()))
                .with("Cache-Control", "private, no-store");
    }
}
