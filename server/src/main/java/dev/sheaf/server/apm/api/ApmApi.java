package dev.sheaf.server.apm.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.PUT;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.archive.PlainArchive;
import dev.sheaf.server.apm.ApmArchives;
import dev.sheaf.server.apm.ApmPackage;
import dev.sheaf.server.apm.ApmPublish;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.ClientKind;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.api.BundleRoutes;
import dev.sheaf.server.bundle.api.ReviewRecords;
import dev.sheaf.server.bundle.publish.Publish;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalRead;
import dev.sheaf.server.http.message.ProblemJson;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Bundles for clients of APM (microsoft/apm, "Registry HTTP API", version 1).
public final class ApmApi {
    private static final String PLACE = "/apm";
    private static final String VERSIONS = PLACE + "/v1/packages/{namespace}/{bundle}/versions";
    private static final Set<String> OF_PROBLEMS = Set.of("type", "title", "status", "detail", "instance");

    private final Resolve resolve;
    private final ApmArchives archives;
    private final ApmPublish publish;
    private final PullCounts downloads;

    public ApmApi(Resolve resolve, ApmArchives archives, ApmPublish publish, PullCounts downloads) {
        this.resolve = resolve;
        this.archives = archives;
        this.publish = publish;
        this.downloads = downloads;
    }

    /// Returns the surface. It also accepts keys as passwords, as the protocol allows.
    public RouteSurface surface(BundleRoutes of) {
        return new RouteSurface(
                PLACE + "/",
                true,
                ApmApi::error,
                List.of(
                        new Route(GET, VERSIONS, RoutePermission.PUBLIC_READ, of.read(this::list)),
                        new Route(
                                GET,
                                VERSIONS + "/{version}/download",
                                RoutePermission.PUBLIC_READ,
                                RequestCost.CONTENT,
                                of.read(this::download)),
                        new Route(PUT, VERSIONS + "/{version}", RoutePermission.WRITE, this::publish)));
    }

    record PackageVersion(
            @JsonProperty("package") @Nullable String name,
            String version,
            String digest,
            @JsonProperty("published_at") String publishedAt,
            @JsonProperty("size_bytes") long sizeBytes) {}

    record PackageVersions(@JsonProperty("package") String name, List<PackageVersion> versions) {}

    private Answer list(Call call, BundleSnapshot bundle) {
        var versions = archives.list(bundle, call::pay).stream()
                .map(listed -> new PackageVersion(
                        null,
                        listed.version().toString(),
                        listed.digest().toString(),
                        listed.publishedAt().toString(),
                        listed.size()))
                .toList();
        var answer = Answer.ok(new PackageVersions(bundle.name().toString(), versions));
        return CachePolicy.MOVING.on(answer, call.caller(), bundle.visibility());
    }

    private Answer download(Call call, BundleSnapshot bundle) {
        var asked = new VersionSelector.ByVersion(call.parameter("version", Version::parse));
        var version =
                resolve.resolve(bundle, Resolve.Question.of(asked)).resolved().version();
        var archive = archives.find(bundle, version);
        var answer = ConditionalRead.isUnmodified(call, archive.digest())
                ? Answer.empty(304)
                : opened(call, bundle, version.manifestId(), archive);
        return CachePolicy.FIXED
                .on(answer, call.caller(), bundle.visibility())
                .with("ETag", ConditionalRead.etag(archive.digest()))
                .with("Content-Disposition", "attachment");
    }

    private Answer opened(Call call, BundleSnapshot bundle, long manifest, ApmArchives.Archive archive) {
        call.pay();
        var caller = call.caller();
        var address = call.address();
        byte[] hash = HexFormat.of().parseHex(archive.digest().hex());
        return Answer.content(200, archive.mediaType(), archive.size(), archive.content())
                .sending(() -> downloads.pulled(caller, address, ClientKind.APM, bundle.repository(), manifest))
                .with("Digest", "sha256=" + Base64.getEncoder().encodeToString(hash));
    }

    private Answer publish(Call call) {
        var name = call.repository();
        var origin = call.origin();
        var version = publish.admit(origin, name, () -> call.parameter("version", Version::parse));
        String type = call.header("Content-Type").orElse("");
        var form = PlainArchive.Form.of(type).orElseThrow(() -> otherType(type).raise());
        byte[] archive = call.bytes("the archive", PlainArchive.MAX_BYTES);
        long size = ApmPackage.size(form, archive);
        call.borrow("the unpacked archive", size, 2);
        var sent = call.computed(
                archive.length + size, budget -> ApmPackage.read(form, archive, name, version, budget::check));
        var published = publish.publish(origin, name, version, sent);
        return switch (published.outcome()) {
            case Publish.Published done ->
                published(name, done.version().version(), published.archive(), archive.length);
            case Publish.Held held -> Answer.json(202, ReviewRecords.heldVersion(call, held.review()));
        };
    }

    private static Problem otherType(String type) {
        return new Problem.UnsupportedMediaType("Content-Type", type, "application/gzip, application/zip");
    }

    private static Answer published(RepositoryName name, VersionRow version, Digest archive, long size) {
        return Answer.json(
                201,
                new PackageVersion(
                        name.toString(),
                        version.version().toString(),
                        archive.toString(),
                        version.publishedAt().toString(),
                        size));
    }

    /// Returns the answer to a refused request: a problem as everywhere, which repeats its own members under
    /// `extensions`, where clients of APM look for them.
    private static Answer error(Problem problem, Call call) {
        var answer = ProblemJson.render(problem, call);
        if (!(answer.body() instanceof Answer.Body.Json json) || !(json.value() instanceof Map<?, ?> members)) {
            return answer;
        }
        var all = new LinkedHashMap<String, Object>();
        var extensions = new LinkedHashMap<String, Object>();
        members.forEach((key, value) -> {
            all.put(key.toString(), value);
            if (!OF_PROBLEMS.contains(key.toString())) {
                extensions.put(key.toString(), value);
            }
        });
        if (!extensions.isEmpty()) {
            all.put("extensions", extensions);
        }
        return Answer.json(answer.status(), all, json.mediaType()).with(answer.headers());
    }
}
