package dev.sheaf.client.push;

import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.Progress.Activity;
import dev.sheaf.client.api.PushOptions;
import dev.sheaf.client.api.Pushed;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.bundle.LocalAsset;
import dev.sheaf.client.http.ErrorResponses;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.HttpReply;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.io.TaskThreads;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.oci.OciPackaging;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.BundleRequest;
import dev.sheaf.model.wire.bundle.HeldVersion;
import dev.sheaf.model.wire.bundle.ReviewRecord;
import java.io.FileNotFoundException;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.Supplier;

/// Pushes a version blob by blob (distribution-spec 1.1, "Pushing manifests"), four at a time and directly from
/// their files, then the manifest, which publishes the version. Blobs that the registry already has are not
/// sent.
final class OciPush {
    private final RegistryTransport transport;
    private final Progress progress;

    OciPush(RegistryTransport transport, Progress progress) {
        this.transport = transport;
        this.progress = progress;
    }

    Pushed run(Reference reference, BundlePush.Content content, PushOptions options) {
        if (options.visibility() == Visibility.PUBLIC) {
            makePublic(content, options);
        }
        var repository = content.repository();
        var config = content.packaging().config();
        var uploads = new LinkedHashMap<Digest, Upload>();
        for (int i = 0; i < content.files().size(); i++) {
            LocalAsset file = content.files().get(i);
            uploads.putIfAbsent(
                    content.assets().get(i).digest(), new Upload(file.path().value(), () -> publisher(file)));
        }
        uploads.putIfAbsent(
                config.digest(), new Upload("description", () -> BodyPublishers.ofByteArray(config.bytes())));
        long total = content.sizeBytes() + config.bytes().length;
        try (var transfer = progress.begin(Activity.UPLOAD, reference.toString(), total)) {
            var tasks = new ArrayList<Runnable>();
            uploads.forEach((digest, body) -> tasks.add(() -> upload(repository, digest, body, transfer)));
            TaskThreads.run(tasks);
        }
        var sent = content.packaging().manifest();
        progress.step(Progress.Step.CHANGING);
        var answer = put(repository, content.version().ociTag(), sent);
        var held = held(content, answer);
        if (held.isPresent()) {
            progress.step(Progress.Step.CHANGED);
            return content.held(Pushed.Route.OCI, held.get());
        }
        var published = content.published(digest(answer, sent), progress);
        progress.step(Progress.Step.CHANGED);
        for (var tag : options.tags()) {
            tag(repository, tag, published);
        }
        return content.pushed(published.digest(), Pushed.Route.OCI, false);
    }

    /// Creates a new bundle that should be public before the push, since an OCI push cannot make it public. If the
    /// push then fails, the bundle remains without a version.
    private void makePublic(BundlePush.Content content, PushOptions options) {
        var repository = content.repository();
        try {
            BundlePush.noticePrivate(
                    progress, transport.json(HttpCall.get(transport.at(repository, "")), BundleRecord.class));
        } catch (SheafException.NotFound e) {
            var request = new BundleRequest(
                    repository.bundle().value(), content.name(), options.description(), Visibility.PUBLIC.toString());
            transport.json(
                    HttpCall.of("POST", transport.at("/v1/namespaces/" + repository.namespace() + "/bundles"))
                            .sendingJson(request)
                            .expecting(201)
                            .keyed(),
                    BundleRecord.class);
            progress.notice("created the public bundle " + repository + "; its version follows file by file, "
                    + (options.oci() ? "as asked" : "because it is too large for one request"));
        }
    }

    /// @param name the name for people
    private record Upload(String name, Supplier<BodyPublisher> body) {}

    private static BodyPublisher publisher(LocalAsset asset) {
        try {
            return BodyPublishers.ofFile(asset.file());
        } catch (FileNotFoundException e) {
            throw new SheafException.Local("cannot read " + asset.file() + ": it does not exist", e);
        }
    }

    private void upload(RepositoryName repository, Digest digest, Upload upload, Progress.Transfer transfer) {
        String blobs = "/v2/" + repository + "/blobs/";
        long length = upload.body().get().contentLength();
        try (var part = transfer.part(upload.name(), length)) {
            var head = HttpCall.of("HEAD", transport.at(blobs + digest)).expecting(200, 404);
            if (transport.head(head).status() == 404) {
                // A retry starts a new session, since the old one may have ended with the connection.
                transport.retries().run(true, () -> session(transport.at(blobs + "uploads/"), digest, upload.body()));
            }
            part.advance(length);
        }
    }

    private HttpReply session(URI uploads, Digest digest, Supplier<BodyPublisher> body) {
        var begin = HttpCall.of("POST", uploads).expecting(202);
        URI location = location(uploads, transport.attempt(begin));
        String query = (location.getRawQuery() == null ? "?" : "&") + "digest=" + HttpCall.encode(digest.toString());
        return transport.attempt(HttpCall.of("PUT", URI.create(location + query))
                .sending(MediaType.OCTETS, body)
                .expecting(201));
    }

    private URI location(URI base, HttpReply reply) {
        String location = reply.header("Location").orElse("");
        try {
            URI uri = base.resolve(location);
            if (!location.isEmpty() && transport.registry().isOriginOf(uri) && uri.getRawFragment() == null) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        throw new SheafException.Server("the registry redirects the upload to " + ErrorResponses.showable(location)
                + ", which is another address; nothing was sent there");
    }

    /// Points a tag to the published manifest. If it is a manifest without modes, the manifest that was sent is
    /// not a version.
    private void tag(RepositoryName repository, Tag tag, OciPackaging.Document published) {
        var tagged = putManifest(repository, tag.value(), published);
        if (!tagged.equals(published.digest())) {
            throw new SheafException.Integrity("the registry points the tag " + tag + " to manifest " + tagged
                    + ", but it published " + published.digest());
        }
    }

    /// Stores a manifest under a tag. Returns the digest to which the tag points now.
    private Digest putManifest(RepositoryName repository, String tag, OciPackaging.Document manifest) {
        return digest(put(repository, tag, manifest), manifest);
    }

    private HttpReply put(RepositoryName repository, String tag, OciPackaging.Document manifest) {
        return transport.head(HttpCall.of("PUT", transport.at("/v2/" + repository + "/manifests/" + tag))
                .sending(MediaType.IMAGE_MANIFEST, () -> BodyPublishers.ofByteArray(manifest.bytes()))
                .expecting(201));
    }

    private static Digest digest(HttpReply reply, OciPackaging.Document sent) {
        return reply.header("Docker-Content-Digest").map(OciPush::digest).orElse(sent.digest());
    }

    /// Returns the review that the version waits for; empty if it is published. The answer says it only in a
    /// sentence for people, so a push with such a sentence asks.
    private Optional<HeldVersion> held(BundlePush.Content content, HttpReply reply) {
        var sentence = reply.headers().allValues("Warning").stream()
                .filter(warning -> warning.contains("is held for review"))
                .findFirst();
        if (sentence.isEmpty()) {
            return Optional.empty();
        }
        var review = transport.json(
                HttpCall.get(transport.at(content.repository(), "/versions/" + content.version() + "/review")),
                ReviewRecord.class);
        return Optional.of(new HeldVersion(
                review.namespace(),
                review.bundle(),
                review.version(),
                review.digest(),
                new HeldVersion.Held(review.id(), review.url(), review.state(), review.round(), review.expiresAt()),
                review.namespace() + "/" + review.bundle() + ":" + review.version() + " is held for review: "
                        + review.url()));
    }

    private static Digest digest(String text) {
        try {
            return Digest.parse(text);
        } catch (ProblemException e) {
            throw new SheafException.Server("the registry's answer is malformed: " + e.getMessage());
        }
    }
}
