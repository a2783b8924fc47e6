package dev.sheaf.server.v2;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Quoted;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.server.bundle.Downloads;
import dev.sheaf.server.bundle.publish.OciDelete;
import dev.sheaf.server.bundle.publish.OciPush;
import dev.sheaf.server.bundle.publish.Publish;
import dev.sheaf.server.bundle.version.Advisories;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Caching;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Conditions;
import dev.sheaf.server.registry.content.ManifestDocument;
import dev.sheaf.server.registry.content.ManifestRecord;
import dev.sheaf.server.registry.content.Manifests;
import dev.sheaf.server.registry.gc.PushLeases;
import java.util.List;
import java.util.Optional;

/// Manifests by tag or digest (distribution-spec, "Pulling manifests", "Pushing Manifests").
final class ManifestsApi {
    private final RepositoryAccess doors;
    private final Manifests manifests;
    private final PushLeases leases;
    private final PushedConfig configs;
    private final OciPush target;
    private final OciDelete deletes;
    private final Advisories advisories;
    private final Downloads downloads;

    ManifestsApi(RepositoryAccess doors, V2.Stores stores, V2.Bundling bundling) {
        this.doors = doors;
        this.manifests = stores.manifests();
        this.leases = stores.leases();
        this.configs = new PushedConfig(stores);
        this.target = bundling.target();
        this.deletes = bundling.deletes();
        this.advisories = bundling.advisories();
        this.downloads = bundling.downloads();
    }

    /// Served as it was pushed, whatever Accept says: a client that cannot read the type finds out by it.
    Answer get(Call call) {
        var repository = doors.readable(call);
        String reference = call.parameter("reference");
        var digest = digest(reference);
        var manifest = digest.map(wanted -> manifests.find(repository, wanted))
                .orElseGet(() -> Tag.isTagShaped(reference) ? manifests.find(repository, reference) : Optional.empty())
                .orElseThrow(
                        () -> manifests.missing(repository, reference, digest).raise());
        if (doors.isAskedByPusher(call, repository) && !leases.renew(repository, manifest)) {
            throw new Problem.ManifestUnknown(repository.name(), reference).raise();
        }
        var caching = digest.isPresent() ? Caching.FIXED : Caching.MOVING;
        var answer = Conditions.isUnmodified(call, manifest.digest())
                ? Answer.empty(304)
                : content(call, manifest)
                        .orElseThrow(() -> new Problem.ManifestUnknown(repository.name(), reference).raise())
                        .sending(() -> downloads.pulled(call.caller(), call.address(), repository, manifest.id()));
        return caching.on(
                        Warnings.on(answer, advisories.of(repository, manifest, reference)),
                        call.caller(),
                        repository.visibility())
                .with("Docker-Content-Digest", manifest.digest().toString())
                .with("ETag", Conditions.etag(manifest.digest()));
    }

    private Optional<Answer> content(Call call, ManifestRecord manifest) {
        call.pay();
        return manifests.content(manifest).map(content -> Answer.bytes(200, manifest.mediaType(), content));
    }

    Answer put(Call call) {
        RepositoryName name = RepositoryAccess.name(call);
        String reference = call.parameter("reference");
        var digest = digest(reference);
        doors.mayPush(call, name);
        var tags = tags(call, reference, digest.isPresent());
        byte[] bytes = call.bytes("the manifest", call.sizes().manifest());
        var outline = ManifestJson.read(bytes, call.header("Content-Type"));
        var algorithm = digest.map(Digest::algorithm).orElse(Digest.Algorithm.SHA256);
        var document = ManifestDocument.of(algorithm, bytes, outline);
        var origin = call.origin();
        digest.filter(sent -> !sent.equals(document.digest())).ifPresent(sent -> {
            throw new Problem.DigestMismatch(sent, document.digest()).raise();
        });
        var done = target.push(
                origin,
                name,
                document,
                tags.stream()
                        .map(tag -> new OciPush.Target(tag, configs.of(name, tag, document)))
                        .toList());
        return Warnings.on(
                pushed(name, done.digest(), document, digest.isPresent() ? tags : List.of()),
                done.notices().stream().map(Publish.Notice::detail).distinct().toList());
    }

    /// The tags of a push: the reference itself, or those that come with a digest as parameters (distribution-spec,
    /// "Pushing Manifests").
    private static List<String> tags(Call call, String reference, boolean isDigest) {
        var tags = isDigest ? call.queryAll("tag") : List.of(reference);
        return tags.stream().distinct().map(ManifestsApi::tag).toList();
    }

    private static Answer pushed(RepositoryName name, Digest digest, ManifestDocument document, List<String> tags) {
        var answer = Answer.empty(201)
                .with("Location", "/v2/" + name + "/manifests/" + digest)
                .with("Docker-Content-Digest", digest.toString());
        // one line a tag: the names stand in no list that would have to be parsed
        for (String tag : tags) {
            answer = answer.with("OCI-Tag", tag);
        }
        var named = answer;
        return document.subject()
                .map(subject -> named.with("OCI-Subject", subject.toString()))
                .orElse(named);
    }

    Answer delete(Call call) {
        RepositoryName name = RepositoryAccess.name(call);
        doors.mayDelete(call, name);
        String reference = call.parameter("reference");
        digest(reference)
                .ifPresentOrElse(
                        digest -> deletes.manifest(call.origin(), name, digest),
                        () -> deletes.tag(call.origin(), name, tag(reference)));
        return Answer.empty(202);
    }

    /// The digest that a reference is; empty for a tag. What holds a colon is no tag.
    private static Optional<Digest> digest(String reference) {
        return reference.indexOf(':') < 0 ? Optional.empty() : Optional.of(BlobsApi.digest(reference));
    }

    private static String tag(String reference) {
        if (!Tag.isTagShaped(reference)) {
            throw new Problem.ManifestInvalid("the tag " + Quoted.of(reference)
                            + " must be 1 to 128 of A-Z a-z 0-9 . _ - and begin with a letter, a digit or _")
                    .raise();
        }
        return reference;
    }
}
