package dev.sheaf.server.http.v2;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Quoted;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.server.bundle.OciDelete;
import dev.sheaf.server.bundle.OciPush;
import dev.sheaf.server.http.Answer;
import dev.sheaf.server.http.Caching;
import dev.sheaf.server.http.Call;
import dev.sheaf.server.registry.ManifestDocument;
import dev.sheaf.server.registry.ManifestRecord;
import dev.sheaf.server.registry.Manifests;
import java.util.Optional;

/// Manifests by tag or digest (distribution-spec, "Pulling manifests", "Pushing Manifests").
final class ManifestsApi {
    private static final long MAX_BYTES = 4 << 20;

    private final Doors doors;
    private final Manifests manifests;
    private final PushedConfig configs;
    private final OciPush target;
    private final OciDelete deletes;

    ManifestsApi(Doors doors, Manifests manifests, PushedConfig configs, OciPush target, OciDelete deletes) {
        this.doors = doors;
        this.manifests = manifests;
        this.configs = configs;
        this.target = target;
        this.deletes = deletes;
    }

    /// Served as it was pushed, whatever Accept says: a client that cannot read the type finds out by it.
    Answer get(Call call) {
        var repository = doors.readable(call);
        String reference = call.parameter("reference");
        var digest = digest(reference);
        var manifest = digest.map(wanted -> manifests.find(repository, wanted))
                .orElseGet(() -> manifests.find(repository, tag(reference)))
                .orElseThrow(() -> new Problem.ManifestUnknown(repository.name(), reference).raise());
        var caching = digest.isPresent() ? Caching.FIXED : Caching.MOVING;
        return caching.on(answer(call, manifest), call.caller(), repository.visibility())
                .with("Docker-Content-Digest", manifest.digest().toString())
                .with("ETag", Conditions.etag(manifest.digest()));
    }

    private Answer answer(Call call, ManifestRecord manifest) {
        return Conditions.isUnmodified(call, manifest.digest())
                ? Answer.empty(304)
                : Answer.bytes(200, manifest.mediaType(), manifests.content(manifest));
    }

    Answer put(Call call) {
        RepositoryName name = Doors.name(call);
        String reference = call.parameter("reference");
        var digest = digest(reference);
        doors.mayPush(call, name);
        byte[] bytes = call.bytes("the manifest", MAX_BYTES);
        var outline = ManifestJson.read(bytes, call.header("Content-Type"));
        var algorithm = digest.map(Digest::algorithm).orElse(Digest.Algorithm.SHA256);
        var document = ManifestDocument.of(algorithm, bytes, outline);
        var origin = call.origin();
        if (digest.isPresent()) {
            if (!digest.get().equals(document.digest())) {
                throw new Problem.DigestMismatch(digest.get(), document.digest()).raise();
            }
            target.toDigest(origin, name, document);
        } else {
            target.toTag(origin, name, tag(reference), document, configs.of(name, reference, document));
        }
        var answer = Answer.empty(201)
                .with("Location", "/v2/" + name + "/manifests/" + document.digest())
                .with("Docker-Content-Digest", document.digest().toString());
        return document.subject()
                .map(subject -> answer.with("OCI-Subject", subject.toString()))
                .orElse(answer);
    }

    Answer delete(Call call) {
        RepositoryName name = Doors.name(call);
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
