package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.text.Utf8Text;
import dev.sheaf.model.wire.bundle.PulledBundle;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.ClientKind;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalRead;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// Returns a version with the content of all its assets in one answer (contract 3.2).
public final class PullApi {
    private static final long MAX_PULL = 64L << 20;
    private static final byte[] NOTHING = {};
    private static final int COPIES = 4; // bytes, text, base64 and JSON of a pull are in memory together

    private final Resolve resolve;
    private final AssetBytes content;
    private final PullCounts downloads;

    public PullApi(Resolve resolve, AssetBytes content, PullCounts downloads) {
        this.resolve = resolve;
        this.content = content;
        this.downloads = downloads;
    }

    public List<Route> routes(BundleRoutes of) {
        return List.of(new Route(
                GET,
                BundleRoutes.BUNDLE + "/versions/{version}:pull",
                RoutePermission.PUBLIC_READ,
                of.readPart(this::pull, this::isAskedFor)));
    }

    /// Returns whether the request is for exactly the version of a manifest: a tag or a range would reveal
    /// other versions.
    private boolean isAskedFor(Call call, BundleSnapshot bundle, Digest manifest) {
        var selector = call.parameter("version", Resolve.Question::parse).selector();
        return (selector instanceof VersionSelector.ByVersion || selector instanceof VersionSelector.ByDigest)
                && resolve.find(bundle, selector)
                        .filter(found -> found.version().digest().equals(manifest))
                        .isPresent();
    }

    public Answer pull(Call call, BundleSnapshot bundle) {
        var answer = resolve.resolve(bundle, call.parameter("version", Resolve.Question::parse));
        var version = answer.resolved().version();
        String what = "version " + version.version() + " for one answer (pull it from the registry, /v2)";
        if (version.size() > MAX_PULL) {
            throw new Problem.PayloadTooLarge(what, MAX_PULL, "bytes").raise();
        }
        boolean inBase64 = call.query("binary", PullApi::isBase64).orElse(false) || isOurs(call);
        String etag = etag(call, answer, inBase64);
        var made = ConditionalRead.unmodified(call, etag)
                .orElseGet(() -> pulled(call, what, answer, inBase64).with("ETag", etag));
        return BundlesApi.cached(call, answer, made.with("Vary", "User-Agent"));
    }

    /// Returns the validator of the record without the contents. The record contains their hashes, so it is
    /// known before they are read.
    private static String etag(Call call, Resolve.Answer answer, boolean inBase64) {
        var assets = answer.resolved().assets().stream()
                .map(asset -> asset(call, asset, NOTHING))
                .toList();
        return ConditionalWrite.etag(List.of(inBase64, pulled(answer, assets)));
    }

    private Answer pulled(Call call, String what, Resolve.Answer answer, boolean inBase64) {
        var version = answer.resolved().version();
        var repository = answer.bundle().repository();
        call.pay();
        content.requireHeld(repository, answer.resolved().assets());
        call.borrow(what, version.size(), COPIES);
        var read = answer.resolved().assets().stream()
                .map(asset -> content.bytes(repository, asset))
                .toList();
        byte[] json = call.computed(version.size(), budget -> {
            var pulled = pulled(answer, assets(call, answer, read, budget));
            return Json.write(inBase64 ? pulled : withoutBinary(answer, pulled));
        });
        return Answer.ok(new Json.Written(json))
                .sending(() -> downloads.pulled(
                        call.caller(),
                        call.address(),
                        ClientKind.ofApi(call.header("User-Agent").orElse("")),
                        repository,
                        version.manifestId()));
    }

    private static boolean isBase64(String form) {
        if (!form.equals("base64")) {
            throw Problem.invalid("format", "must be base64");
        }
        return true;
    }

    /// Returns whether the caller is our own client. All its versions read this form, but old ones do not ask
    /// for it.
    private static boolean isOurs(Call call) {
        return call.header("User-Agent")
                .filter(agent -> agent.startsWith("sheaf/"))
                .isPresent();
    }

    /// Refuses binary content for readers that know only the text member: they would take an empty text for the
    /// file.
    private static PulledBundle withoutBinary(Resolve.Answer answer, PulledBundle pulled) {
        var binary = pulled.manifest().stream()
                .filter(asset -> asset.contentBase64() != null)
                .map(PulledBundle.Asset::logicalPath)
                .toList();
        if (binary.isEmpty()) {
            return pulled;
        }
        var name = answer.bundle().name();
        var version = answer.resolved().version();
        throw BinaryContent.of(
                        "version " + version.version() + " of " + name,
                        binary,
                        "ask with ?binary=base64, or for each with Accept: application/octet-stream under"
                                + " …/assets/{path}?version=" + version.version() + ", or pull " + name + "@"
                                + version.digest() + " from the registry (/v2)")
                .raise();
    }

    /// @param read the bytes of the assets, in their order
    private static List<PulledBundle.Asset> assets(Call call, Resolve.Answer answer, List<byte[]> read, Budget budget) {
        var rows = answer.resolved().assets();
        var assets = new ArrayList<PulledBundle.Asset>();
        for (int i = 0; i < rows.size(); i++) {
            budget.check();
            assets.add(asset(call, rows.get(i), read.get(i)));
        }
        return assets;
    }

    private static PulledBundle pulled(Resolve.Answer answer, List<PulledBundle.Asset> assets) {
        var version = answer.resolved().version();
        var bundle = answer.bundle();
        return new PulledBundle(
                bundle.name().namespace().value(),
                bundle.name().bundle().value(),
                version.version().toString(),
                bundle.bundle().profile().name(),
                bundle.bundle().profile().description(),
                version.digest().toString(),
                assets,
                BundleRecords.requires(answer.resolved().requires()));
    }

    private static PulledBundle.Asset asset(Call call, StoredAsset asset, byte[] bytes) {
        var text = Utf8Text.of(bytes);
        return new PulledBundle.Asset(
                asset.path().value(),
                AssetWords.of(call).of(asset.assetType()),
                text.orElse(""),
                asset.mediaType(),
                asset.digest().hex(),
                asset.size(),
                asset.executable(),
                text.isPresent() ? null : Base64.getEncoder().encodeToString(bytes));
    }
}
