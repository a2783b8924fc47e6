package dev.sheaf.server.registry.api;

import static dev.sheaf.server.http.message.RouteMethod.DELETE;
import static dev.sheaf.server.http.message.RouteMethod.PUT;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.server.bundle.api.PassportApi;
import dev.sheaf.server.bundle.api.ReviewRecords;
import dev.sheaf.server.bundle.publish.OciDelete;
import dev.sheaf.server.bundle.publish.OciPush;
import dev.sheaf.server.bundle.publish.PublishNotice;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.registry.content.ManifestDocument;
import java.util.List;
import java.util.stream.Stream;

/// Pushes and deletes manifests (distribution-spec, "Pushing Manifests", "Deleting Manifests").
public final class ManifestPushApi {
    private final RepositoryAccess access;
    private final PushedConfig configs;
    private final OciPush target;
    private final OciDelete deletes;

    public ManifestPushApi(RepositoryAccess access, PushedConfig configs, OciPush target, OciDelete deletes) {
        this.access = access;
        this.configs = configs;
        this.target = target;
        this.deletes = deletes;
    }

    public List<Route> routes() {
        return List.of(
                DistributionApi.route(
                        PUT, DistributionApi.REPOSITORY + "/manifests/{reference}", RoutePermission.WRITE, this::put),
                DistributionApi.route(
                        DELETE,
                        DistributionApi.REPOSITORY + "/manifests/{reference}",
                        RoutePermission.WRITE,
                        this::delete));
    }

    private Answer put(Call call) {
        RepositoryName name = RepositoryAccess.name(call);
        String reference = call.parameter("reference");
        var digest = ManifestsApi.digest(reference);
        access.mayPush(call, name);
        var tags = tags(call, reference, digest.isPresent());
        byte[] bytes =
                call.bytes("the manifest (max-manifest-bytes)", call.sizes().manifest());
        String type = call.header("Content-Type").orElse(null);
        var algorithm = digest.map(Digest::algorithm).orElse(Digest.Algorithm.SHA256);
        var document = call.parsed(
                "the manifest", bytes, sent -> ManifestDocument.of(algorithm, sent, ManifestJson.read(sent, type)));
        var origin = call.origin();
        digest.filter(sent -> !sent.equals(document.digest())).ifPresent(sent -> {
            throw new Problem.DigestMismatch(sent, document.digest()).raise();
        });
        var done = target.push(
                origin,
                name,
                document,
                tags.stream()
                        .map(tag -> new OciPush.Target(
                                tag, configs.of(call, name, tag, document).orElse(null)))
                        .toList(),
                PassportApi.admitting(call));
        return WarningHeaders.on(
                pushed(name, done.digest(), document, digest.isPresent() ? tags : List.of()),
                Stream.concat(
                                done.held().stream().map(review -> ReviewRecords.sentence(call, review)),
                                done.notices().stream().map(PublishNotice::detail))
                        .distinct()
                        .toList());
    }

    /// Returns the tags of a push: the reference itself, or the parameters that come with a digest
    /// (distribution-spec, "Pushing Manifests").
    private static List<String> tags(Call call, String reference, boolean isDigest) {
        var tags = isDigest ? call.queryAll("tag") : List.of(reference);
        return tags.stream().distinct().map(ManifestPushApi::tag).toList();
    }

    private static Answer pushed(RepositoryName name, Digest digest, ManifestDocument document, List<String> tags) {
        var answer = Answer.empty(201)
                .with("Location", "/v2/" + name + "/manifests/" + digest)
                .with("Docker-Content-Digest", digest.toString());
        // one line for each tag, so that nobody has to parse a list
        for (String tag : tags) {
            answer = answer.with("OCI-Tag", tag);
        }
        var named = answer;
        return document.subject()
                .map(subject -> named.with("OCI-Subject", subject.toString()))
                .orElse(named);
    }

    private Answer delete(Call call) {
        RepositoryName name = RepositoryAccess.name(call);
        access.mayDelete(call, name);
        String reference = call.parameter("reference");
        ManifestsApi.digest(reference)
                .ifPresentOrElse(
                        digest -> deletes.manifest(call.origin(), name, digest),
                        () -> deletes.tag(call.origin(), name, tag(reference)));
        return Answer.empty(202);
    }

    private static String tag(String reference) {
        if (!Tag.isTagShaped(reference)) {
            throw new Problem.ManifestInvalid("the tag " + Quoted.of(reference)
                            + " must be 1 to 128 characters of A-Z a-z 0-9 . _ - and begin with a letter, a digit or _")
                    .raise();
        }
        return reference;
    }
}
