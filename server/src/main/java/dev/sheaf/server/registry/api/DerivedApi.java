package dev.sheaf.server.registry.api;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.ClientKind;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.bundle.version.VersionWarnings;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalRead;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.Namespaces;
import dev.sheaf.server.registry.content.Manifests;
import dev.sheaf.server.skill.image.DerivedImages;
import dev.sheaf.server.skill.image.MadeImage;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Read-only repositories that are derived from bundles: skills as artifacts, versions and skills as images.
public final class DerivedApi {
    private static final List<String> NAMES = List.of(
            "/v2/agentskill/{namespace}/{bundle}/{skill}",
            "/v2/image/{namespace}/{bundle}",
            "/v2/image/{namespace}/{bundle}/{skill}");

    private final Namespaces namespaces;
    private final Bundles bundles;
    private final Resolve resolve;
    private final DerivedImages images;
    private final Notes notes;

    /// Records and checks that accompany a pull.
    public record Notes(Manifests manifests, VersionWarnings advisories, PullCounts downloads) {}

    public DerivedApi(Namespaces namespaces, Bundles bundles, Resolve resolve, DerivedImages images, Notes notes) {
        this.namespaces = namespaces;
        this.bundles = bundles;
        this.resolve = resolve;
        this.images = images;
        this.notes = notes;
    }

    public RouteSurface surface() {
        var routes = NAMES.stream().flatMap(this::routes).toList();
        return new RouteSurface(
                "/v2", path -> DerivedName.ofPath(path).isPresent(), true, false, DerivedApi::render, routes);
    }

    private Stream<Route> routes(String name) {
        return Stream.of(
                get(name + "/manifests/{reference}", this::manifest),
                get(name + "/blobs/{digest}", this::blob),
                get(name + "/tags/list", this::tags),
                get(name + "/referrers/{digest}", this::referrers));
    }

    private static Route get(String pattern, Route.Handler handler) {
        return DistributionApi.route(RouteMethod.GET, pattern, RoutePermission.PUBLIC_READ, handler);
    }

    /// Renders an error. A client that tries to push or delete learns where to push instead.
    private static Answer render(Problem problem, Call call) {
        boolean reads = call.method().equals("GET") || call.isHead();
        return OciErrors.render(reads ? problem : readOnly(problem, call), call);
    }

    private static Problem readOnly(Problem problem, Call call) {
        return problem instanceof Problem.NotFound || problem instanceof Problem.MethodNotAllowed
                ? DerivedName.ofPath(call.rawPath())
                        .<Problem>map(name -> new Problem.Forbidden(name + " is derived from the bundle "
                                + name.source()
                                + " and is read-only; push to " + name.source() + ", or publish its folder with: sheaf"
                                + " push"))
                        .orElse(problem)
                : problem;
    }

    private static DerivedName name(Call call) {
        return DerivedName.ofPath(call.rawPath())
                .orElseThrow(() -> new Problem.RepositoryNameInvalid(call.rawPath()).raise());
    }

    private BundleSnapshot bundle(Call call, DerivedName name) {
        try {
            return bundles.read(call.caller(), name.source());
        } catch (ProblemException e) {
            RepositoryAccess.challenge(call.caller(), name.source(), namespaces);
            throw e;
        }
    }

    private Answer manifest(Call call) {
        var name = name(call);
        var bundle = bundle(call, name);
        String reference = call.parameter("reference");
        var digest = ManifestsApi.digest(reference);
        var made = digest.isPresent()
                ? images.find(bundle, name.kind(), digest.get())
                        .filter(found -> found.digest().equals(digest.get()))
                : version(bundle, reference).map(version -> made(call, name, bundle, version));
        var found = made.orElseThrow(() -> new Problem.ManifestUnknown(name.source(), reference).raise());
        var version =
                images.version(found).orElseThrow(() -> new Problem.ManifestUnknown(name.source(), reference).raise());
        refuseRecalled(bundle, version, reference);
        var answer = ConditionalRead.isUnmodified(call, found.digest())
                ? Answer.empty(304)
                : Answer.bytes(200, MediaType.IMAGE_MANIFEST, found.manifest())
                        .sending(() -> notes.downloads()
                                .pulled(
                                        call.caller(),
                                        call.address(),
                                        ClientKind.ofRegistry(
                                                call.header("User-Agent").orElse("")),
                                        bundle.repository(),
                                        version.manifestId()));
        String asked = digest.isPresent() ? version.version().ociTag() : reference;
        var sentences = notes.manifests()
                .find(bundle.repository(), version.digest())
                .map(source -> notes.advisories().of(bundle.repository(), source, asked))
                .orElse(List.of());
        return told(
                WarningHeaders.on(answer, sentences),
                call,
                bundle,
                found.digest(),
                digest.isPresent() ? CachePolicy.FIXED : CachePolicy.MOVING);
    }

    /// Refuses what was made from a recalled version to everybody: admins read the version itself.
    private static void refuseRecalled(BundleSnapshot bundle, VersionRow version, String asked) {
        var recall = version.recall();
        if (recall != null) {
            throw recall.problem(bundle.name(), asked).raise();
        }
    }

    /// Returns the image. The first request reads its files.
    private MadeImage made(Call call, DerivedName name, BundleSnapshot bundle, BundleSnapshot.Resolved version) {
        call.pay();
        return images.of(bundle, name.kind(), version);
    }

    /// Returns the version that a tag of the bundle points to.
    private Optional<BundleSnapshot.Resolved> version(BundleSnapshot bundle, String tag) {
        if (!Tag.isTagShaped(tag)) {
            return Optional.empty();
        }
        var selector = Version.ofOciTag(tag)
                .<VersionSelector>map(VersionSelector.ByVersion::new)
                .orElseGet(() -> new VersionSelector.ByTag(new Tag(tag)));
        return resolve.find(bundle, selector);
    }

    private static Answer told(Answer answer, Call call, BundleSnapshot bundle, Digest digest, CachePolicy caching) {
        return caching.on(answer, call.caller(), bundle.visibility())
                .with("Docker-Content-Digest", digest.toString())
                .with("ETag", ConditionalRead.etag(digest));
    }

    private Answer blob(Call call) {
        var name = name(call);
        var bundle = bundle(call, name);
        var digest = BlobsApi.digest(call.parameter("digest"));
        var made = images.find(bundle, name.kind(), digest)
                .filter(found -> !found.digest().equals(digest))
                .orElseThrow(() -> new Problem.BlobUnknown(digest).raise());
        images.version(made).ifPresent(version -> refuseRecalled(bundle, version, digest.toString()));
        var answer = ConditionalRead.isUnmodified(call, digest)
                ? Answer.empty(304)
                : content(call, bundle, name.kind(), made, digest);
        return told(answer, call, bundle, digest, CachePolicy.FIXED);
    }

    private Answer content(Call call, BundleSnapshot bundle, DerivedImages.Kind kind, MadeImage made, Digest digest) {
        call.pay();
        if (digest.equals(made.configDigest())) {
            return Answer.bytes(200, MediaType.OCTETS, made.config());
        }
        var layer = images.layer(bundle, kind, made);
        return Answer.content(200, MediaType.OCTETS, made.layerSize(), out -> images.write(bundle, layer, out));
    }

    private record Tagged(String name, List<String> tags) {}

    private Answer tags(Call call) {
        var name = name(call);
        var bundle = bundle(call, name);
        var size = PageSize.of(call);
        var page = size.count() == 0 ? DerivedImages.Tagged.NONE : images.tags(bundle, size.last(), size.count());
        var answer = CachePolicy.MOVING.on(
                Answer.ok(new Tagged(name.toString(), page.tags())), call.caller(), bundle.visibility());
        return page.next() == null ? answer : answer.with("Link", size.next(call, "", page.next()));
    }

    private record Index(int schemaVersion, String mediaType, List<String> manifests) {}

    /// Derived images have no referrers: signatures and the like refer to the bundle's own manifest. Never 404
    /// for a caller with a credential, as in other repositories.
    private Answer referrers(Call call) {
        var visibility = visibility(call);
        BlobsApi.digest(call.parameter("digest"));
        var index = Answer.json(200, new Index(2, MediaType.IMAGE_INDEX, List.of()), MediaType.IMAGE_INDEX);
        return CachePolicy.MOVING.on(index, call.caller(), visibility);
    }

    private Visibility visibility(Call call) {
        try {
            return bundle(call, name(call)).visibility();
        } catch (ProblemException e) {
            if (call.caller() instanceof Caller.Known && e.problem() instanceof Problem.Missing) {
                return Visibility.PRIVATE;
            }
            throw e;
        }
    }
}
