package dev.sheaf.server.http.v1;

import static dev.sheaf.server.http.Method.GET;

import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Quoted;
import dev.sheaf.model.Selector;
import dev.sheaf.model.wire.Asset;
import dev.sheaf.model.wire.Page;
import dev.sheaf.server.bundle.AssetRow;
import dev.sheaf.server.bundle.Content;
import dev.sheaf.server.bundle.Hub;
import dev.sheaf.server.bundle.Resolve;
import dev.sheaf.server.http.Answer;
import dev.sheaf.server.http.Caching;
import dev.sheaf.server.http.Call;
import dev.sheaf.server.http.Need;
import dev.sheaf.server.http.Negotiation;
import dev.sheaf.server.http.Route;
import dev.sheaf.server.registry.BlobContent;
import dev.sheaf.server.registry.Blobs;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The assets of a version of a public bundle, all at once or one by one (contract 3.4, 3.8).
public final class HubAssetsApi {
    private static final String BYTES = "application/octet-stream";
    private static final long MAX_TEXT = 4L << 20;
    private static final int COPIES = 3; // bytes, text and JSON are in memory together

    private final Hub hub;
    private final Resolve resolve;
    private final Blobs blobs;

    public HubAssetsApi(Hub hub, Resolve resolve, Blobs blobs) {
        this.hub = hub;
        this.resolve = resolve;
        this.blobs = blobs;
    }

    public List<Route> routes() {
        String all = HubApi.BUNDLE + "/assets";
        return List.of(
                new Route(GET, all, Need.PUBLIC_READ, HubApi.shown(hub, this::list)),
                new Route(GET, all + "/{path...}", Need.PUBLIC_READ, HubApi.shown(hub, this::asset)));
    }

    private Resolve.Answer version(Call call) {
        var selector = call.query("version", Selector::parse).orElse(new Selector.Default());
        return resolve.resolve(call.caller(), call.repository(), selector, null);
    }

    private static Answer cached(Call call, Resolve.Answer version, Answer answer) {
        boolean exact =
                version.selector() instanceof Selector.ByVersion || version.selector() instanceof Selector.ByDigest;
        return (exact ? Caching.FIXED : Caching.MOVING)
                .on(answer, call.caller(), version.bundle().visibility());
    }

    private Answer list(Call call) {
        var version = version(call);
        var assets = version.resolved().assets().stream()
                .map(asset -> wire(version, asset, null))
                .toList();
        return cached(call, version, Answer.ok(Page.of(assets, null)));
    }

    private Answer asset(Call call) {
        var path = call.parameter("path", LogicalPath::parse);
        var version = version(call);
        var asset = version.resolved().assets().stream()
                .filter(row -> row.path().equals(path))
                .findFirst()
                .orElseThrow(() -> new Problem.NotFound("the asset " + Quoted.of(path.value()) + " of version "
                                + version.resolved().version().version() + " of "
                                + version.bundle().name())
                        .raise());
        boolean raw =
                Negotiation.choose(call, List.of("application/json", BYTES)).equals(BYTES);
        return cached(call, version, raw ? raw(version, asset) : detail(call, version, asset))
                .with("Vary", "Accept");
    }

    /// Never under the asset's own type: what publishers upload is not to run in a browser.
    private Answer raw(Resolve.Answer version, AssetRow asset) {
        var content = open(version, asset);
        byte[] hash = HexFormat.of().parseHex(asset.digest().hex());
        return Answer.content(200, BYTES, asset.size(), out -> content.writeTo(out, 0, asset.size()))
                .with("Content-Digest", "sha-256=:" + Base64.getEncoder().encodeToString(hash) + ":")
                .with("Content-Disposition", "attachment")
                .with("ETag", "\"" + asset.digest() + "\"");
    }

    private Answer detail(Call call, Resolve.Answer version, AssetRow asset) {
        if (asset.size() > MAX_TEXT) {
            return Answer.ok(wire(version, asset, null));
        }
        call.borrow(COPIES * asset.size());
        var text = Content.text(open(version, asset).bytes());
        return Answer.ok(wire(version, asset, text.orElse(null)));
    }

    private BlobContent open(Resolve.Answer version, AssetRow asset) {
        var blob = blobs.find(version.bundle().repository(), asset.digest())
                .orElseThrow(() -> new Problem.BlobUnknown(asset.digest()).raise());
        return blobs.open(blob);
    }

    private static Asset wire(Resolve.Answer version, AssetRow asset, @Nullable String text) {
        return new Asset(
                asset.id(),
                version.bundle().bundle().id(),
                asset.assetType().toString(),
                asset.path().value(),
                asset.digest().hex(),
                asset.size(),
                asset.size(),
                asset.mediaType(),
                version.resolved().version().publishedAt(),
                null,
                text);
    }
}
