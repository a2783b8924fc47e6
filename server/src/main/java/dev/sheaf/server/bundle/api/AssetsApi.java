package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.DELETE;
import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.PUT;

import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Problem;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.bundle.Asset;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.publish.AssetEdit;
import dev.sheaf.server.bundle.publish.PackedLists;
import dev.sheaf.server.bundle.publish.WorkingAssets;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalRead;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.StagedBlob;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Single assets: of a version, and of the working set of a bundle (contract 3.4).
public final class AssetsApi {
    private final Resolve resolve;
    private final PackedLists packed;
    private final WorkingAssets working;
    private final Blobs blobs;
    private final AssetContent content;

    /// @param maxText the largest text, in bytes, that is part of a JSON answer
    public AssetsApi(Resolve resolve, PackedLists packed, WorkingAssets working, Blobs blobs, long maxText) {
        this.resolve = resolve;
        this.packed = packed;
        this.working = working;
        this.blobs = blobs;
        this.content = new AssetContent(new AssetBytes(blobs), maxText);
    }

    public List<Route> routes(BundleRoutes of) {
        String all = BundleRoutes.BUNDLE + "/assets";
        String one = all + "/{path...}";
        return List.of(
                new Route(GET, all, RoutePermission.PUBLIC_READ, of.read(this::list)),
                new Route(GET, one, RoutePermission.PUBLIC_READ, RequestCost.CONTENT, of.read(this::get)),
                new Route(PUT, one, RoutePermission.WRITE, of.write(this::put)),
                new Route(DELETE, one, RoutePermission.WRITE, of.write(this::delete)),
                new Route(GET, "/v1/runner/assets/{asset_id}", RoutePermission.READ, this::byId));
    }

    // --- reading ---

    private Resolve.@Nullable Answer version(Call call, BundleSnapshot bundle) {
        return call.query("version", Resolve.Question::parse)
                .map(question -> resolve.resolve(bundle, question))
                .orElse(null);
    }

    private static CachePolicy caching(Resolve.@Nullable Answer version) {
        return version != null && version.isExact() ? CachePolicy.FIXED : CachePolicy.MOVING;
    }

    private Answer list(Call call, BundleSnapshot bundle) {
        var version = version(call, bundle);
        var paging = PageRequest.of(call, "version");
        String after = Objects.requireNonNullElse(paging.after(), "");
        var rows = version == null
                ? working.list(call.caller(), bundle, after, paging.fetch())
                : WorkingAssets.page(version.resolved().assets(), after, paging.fetch());
        var answer = paging.answer(rows, row -> row.path().value(), row -> shown(call, bundle, row, version));
        return AssetWords.vary(caching(version).on(answer, call.caller(), bundle.visibility()), rows);
    }

    private Asset shown(Call call, BundleSnapshot bundle, StoredAsset row, Resolve.@Nullable Answer version) {
        return BundleRecords.asset(call, bundle, row, version == null ? List.of() : packed.of(version.resolved()));
    }

    private Answer get(Call call, BundleSnapshot bundle) {
        var path = call.parameter("path", LogicalPath::new);
        var version = version(call, bundle);
        var asset = version == null ? working.get(call.caller(), bundle, path) : in(version, path);
        return answer(call, bundle, asset, caching(version), AssetContent.Binary.REFUSED);
    }

    private static StoredAsset in(Resolve.Answer version, LogicalPath path) {
        return version.resolved().assets().stream()
                .filter(asset -> asset.path().equals(path))
                .findFirst()
                .orElseThrow(() -> new Problem.AssetNotFound(
                                path.value(),
                                "version " + version.resolved().version().version() + " of "
                                        + version.bundle().name())
                        .raise());
    }

    private Answer answer(
            Call call, BundleSnapshot bundle, StoredAsset asset, CachePolicy caching, AssetContent.Binary binary) {
        var known = new AssetContent.Known(
                bundle.name().toString(), asset.digest(), BundleRecords.asset(call, bundle, asset));
        var answer = content.of(call, bundle.repository(), known, binary);
        var cached = caching.on(answer, call.caller(), bundle.visibility()).with("Vary", "Accept");
        return AssetWords.vary(cached, List.of(asset));
    }

    /// Returns all assets of a version, by default of `latest` (contract 3.8).
    public Answer published(Call call, BundleSnapshot bundle) {
        var version = publishedVersion(call, bundle);
        var assets = version.resolved().assets();
        var page = Page.of(
                assets.stream().map(row -> shown(call, bundle, row, version)).toList(), null);
        return AssetWords.vary(caching(version).on(Answer.ok(page), call.caller(), bundle.visibility()), assets);
    }

    /// Returns one asset of a version, by default of `latest`.
    public Answer publishedAsset(Call call, BundleSnapshot bundle) {
        var path = call.parameter("path", LogicalPath::new);
        var version = publishedVersion(call, bundle);
        return answer(call, bundle, in(version, path), caching(version), AssetContent.Binary.RAW);
    }

    private Resolve.Answer publishedVersion(Call call, BundleSnapshot bundle) {
        var version = version(call, bundle);
        return version == null ? resolve.resolve(bundle, Resolve.Question.of(new VersionSelector.Default())) : version;
    }

    private Answer byId(Call call) {
        String text = call.parameter("asset_id");
        WorkingAssets.BundleAsset found;
        try {
            found = working.find(call.caller(), UUID.fromString(text));
        } catch (IllegalArgumentException e) {
            throw new Problem.AssetNotFound(text, "any bundle that this credential may see").raise();
        }
        return answer(call, found.bundle(), found.asset(), CachePolicy.FIXED, AssetContent.Binary.RAW);
    }

    // --- editing ---

    private record Received(AssetEdit edit, StagedBlob content) {}

    private Answer put(Call call, BundleSnapshot bundle) {
        var path = call.parameter("path", LogicalPath::parse);
        var received = isForm(call) ? form(call, path) : raw(call, path);
        var put = working.put(
                call.origin(),
                bundle.name(),
                received.edit().of(received.content()),
                received.content(),
                current -> check(call, current));
        var wire = BundleRecords.asset(call, put.bundle(), put.asset());
        var answer = put.created() ? Answer.created(call.rawPath(), wire) : Answer.ok(wire);
        return answer.with("ETag", ConditionalWrite.etag(wire));
    }

    private static void check(Call call, WorkingAssets.@Nullable BundleAsset current) {
        ConditionalWrite.checkTags(
                call,
                current == null
                        ? List.of()
                        : List.of(
                                ConditionalWrite.etag(BundleRecords.asset(call, current.bundle(), current.asset())),
                                ConditionalRead.etag(current.asset().digest())));
    }

    /// Returns whether the body is the form with a text: its type is `application/json`. Any other body is the
    /// content itself. A JSON file is therefore sent as `application/octet-stream`, and its path gives its
    /// type.
    private static boolean isForm(Call call) {
        return contentType(call).equals("application/json");
    }

    private static String contentType(Call call) {
        return call.header("Content-Type")
                .map(type -> type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
                .orElse("");
    }

    private Received form(Call call, LogicalPath path) {
        var fields = call.json("the JSON body (max-text-bytes)", call.sizes().asset());
        byte[] text = AssetEdit.text(fields, call.sizes().text());
        var edit = fields.to(all -> AssetEdit.parse(all, path));
        return new Received(edit, blobs.stage(text));
    }

    private Received raw(Call call, LogicalPath path) {
        String declared = call.query("assetType", AssetsApi::word).orElse(null);
        String mediaType = call.query("mediaType", MediaType::parse).orElseGet(() -> mediaType(call, path));
        var executable = call.query("executable", AssetsApi::flag).orElse(null);
        return new Received(
                new AssetEdit(path, declared, mediaType, executable),
                working.stage(call.origin(), path, call.contentLength().orElse(-1), call::body));
    }

    private static boolean flag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw Problem.invalid("format", "must be true or false");
        };
    }

    private static String word(String text) {
        if (text.isBlank() || text.length() > AssetEdit.MAX_TYPE || text.chars().anyMatch(Character::isISOControl)) {
            throw Problem.invalid("format", "must be a word of at most " + AssetEdit.MAX_TYPE + " characters");
        }
        return text;
    }

    /// Returns the Content-Type, unless it is one of those that clients send when they do not know the type.
    private static String mediaType(Call call, LogicalPath path) {
        String type = contentType(call);
        return type.isEmpty() || type.equals(MediaType.OCTETS) || type.equals("application/x-www-form-urlencoded")
                ? MediaType.infer(path)
                : MediaType.parse(type);
    }

    private Answer delete(Call call, BundleSnapshot bundle) {
        var path = call.parameter("path", LogicalPath::new);
        working.delete(call.origin(), bundle.name(), path, current -> check(call, current));
        return Answer.empty(204);
    }
}
