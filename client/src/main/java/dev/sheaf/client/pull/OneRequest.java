package dev.sheaf.client.pull;

import dev.sheaf.client.api.Blob;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.cache.BlobCache;
import dev.sheaf.client.http.ErrorResponses;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.HttpReply;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.io.DigestLock;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.oci.OciPackaging;
import dev.sheaf.model.wire.bundle.PulledBundle;
import dev.sheaf.model.wire.bundle.RequiredBundle;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/// Pulls a small bundle in one response (contract 3.2), if that is cheaper than a request for each file: at
/// least two files and half of the bytes are missing, and the whole bundle has at most 1 MiB. If several
/// processes need the bundle, only one sends the request: it holds a lock until [#close], when the content is
/// in the cache.
final class OneRequest implements AutoCloseable {
    private static final long LARGEST = 1 << 20;

    /// Bytes allowed for names, hashes and punctuation, in addition to the content.
    private static final int FRAME = 4 << 20;

    /// The longest form of one byte in JSON, `\u0000`.
    private static final int LONGEST_ESCAPE = 6;

    private static final OneRequest NOTHING = new OneRequest(null, Map.of(), null);

    private final @Nullable DigestLock lock;
    private final Map<Blob, byte[]> content;
    private final byte @Nullable [] manifest;

    private OneRequest(@Nullable DigestLock lock, Map<Blob, byte[]> content, byte @Nullable [] manifest) {
        this.lock = lock;
        this.content = Map.copyOf(content);
        this.manifest = manifest;
    }

    /// Returns the received content that the cache lacks. Its digests are not checked yet.
    Map<Blob, byte[]> content() {
        return content;
    }

    /// Returns the bundle's manifest, which has the expected digest; null if it cannot be derived from the
    /// response.
    byte @Nullable [] manifest() {
        return manifest;
    }

    /// Sends the request if it is worthwhile.
    ///
    /// @throws SheafException.Integrity if the response is about something other than `bundle`
    static OneRequest ifWorthwhile(RegistryTransport transport, BlobCache cache, ResolvedBundle bundle)
            throws IOException {
        if (!isWorthwhile(cache, bundle)) {
            return NOTHING;
        }
        var lock = cache.lock("bundle " + bundle.manifest());
        try {
            if (isWorthwhile(cache, bundle)) { // no other process has fetched it meanwhile
                return read(lock, cache, bundle, ask(transport, bundle));
            }
        } catch (SheafException.NotFound
                | SheafException.InvalidRequest
                | SheafException.Conflict
                | SheafException.Server e) {
            // the registry does not support this call or refuses it for this bundle: the caller fetches single blobs
        } catch (SheafException e) {
            lock.close();
            throw e;
        }
        lock.close();
        return NOTHING;
    }

    private static boolean isWorthwhile(BlobCache cache, ResolvedBundle bundle) {
        var missing = ContentDelivery.missing(cache, bundle.assets());
        long size =
                bundle.assets().stream().mapToLong(asset -> asset.blob().size()).sum();
        return missing.size() > 1
                && size <= LARGEST
                && 2 * missing.stream().mapToLong(Blob::size).sum() >= size;
    }

    private static PulledBundle ask(RegistryTransport transport, ResolvedBundle bundle) {
        var name = bundle.repository();
        URI address = transport.at(
                name, "/versions/" + HttpCall.encode(bundle.version().toString()) + ":pull?binary=base64");
        var call =
                HttpCall.get(address).header("Accept", RegistryTransport.JSON).header("Accept-Encoding", "gzip");
        int limit = (int) LARGEST * LONGEST_ESCAPE + FRAME;
        return transport.retries().run(true, () -> {
            try (HttpReply reply = transport.once(call)) {
                return WireJson.read(unpacked(reply, limit), PulledBundle.class);
            } catch (IOException e) {
                throw transport.broken(e);
            }
        });
    }

    /// Reads at most `limit` bytes, even if a compressed response unpacks to more.
    private static byte[] unpacked(HttpReply reply, int limit) throws IOException {
        String coding = reply.header("Content-Encoding").orElse("identity");
        if (!coding.equalsIgnoreCase("gzip")) {
            return reply.bytes(limit);
        }
        try (InputStream in = new GZIPInputStream(reply.body())) {
            byte[] bytes = in.readNBytes(limit);
            if (bytes.length == limit) {
                throw new SheafException.Server(
                        "the registry's answer is longer than the limit of " + limit + " bytes");
            }
            return bytes;
        }
    }

    private static OneRequest read(DigestLock lock, BlobCache cache, ResolvedBundle bundle, PulledBundle answer) {
        if (!bundle.manifest().toString().equals(answer.ociDigest())) {
            throw wrong(bundle, "its digest is " + ErrorResponses.showable(String.valueOf(answer.ociDigest())));
        }
        var files = new HashMap<String, PulledBundle.Asset>();
        WireJson.present(answer.manifest(), "manifest").forEach(asset -> files.put(asset.logicalPath(), asset));
        var content = new HashMap<Blob, byte[]>();
        for (var asset : bundle.assets()) {
            var file = files.get(asset.path().value());
            if (file == null) {
                throw wrong(bundle, asset.path() + " is missing");
            }
            if (!cache.has(asset.blob())) {
                byte[] bytes = bytes(file);
                if (bytes.length != asset.blob().size()) {
                    throw wrong(
                            bundle,
                            asset.path() + " has " + bytes.length + " bytes instead of "
                                    + asset.blob().size());
                }
                content.put(asset.blob(), bytes);
            }
        }
        return new OneRequest(lock, content, manifest(bundle, answer, files));
    }

    private static SheafException wrong(ResolvedBundle bundle, String what) {
        return new SheafException.Integrity("the answer with all files of " + bundle.repository() + ":"
                + bundle.version() + " does not match: " + what);
    }

    private static byte[] bytes(PulledBundle.Asset file) {
        if (file.contentBase64() == null) {
            return WireJson.present(file.contentText(), "contentText").getBytes(StandardCharsets.UTF_8);
        }
        try {
            return Base64.getDecoder().decode(file.contentBase64());
        } catch (IllegalArgumentException e) {
            throw new SheafException.Integrity(
                    "the content of " + ErrorResponses.showable(String.valueOf(file.logicalPath())) + " is not base64");
        }
    }

    /// Builds the manifest as a registry does (contract 4), which saves a request. If the bundle was pushed
    /// with its own manifest, or was renamed, the digest differs; then returns null.
    private static byte @Nullable [] manifest(
            ResolvedBundle bundle, PulledBundle answer, Map<String, PulledBundle.Asset> files) {
        List<OciPackaging.Asset> assets = new ArrayList<>();
        try {
            for (var asset : bundle.assets()) {
                var file = WireJson.present(files.get(asset.path().value()), "the file");
                var path = new LogicalPath(file.logicalPath());
                String media = file.mediaType() == null ? MediaType.infer(path) : file.mediaType();
                assets.add(new OciPackaging.Asset(
                        path,
                        AssetType.ofInput(file.assetType()),
                        asset.blob().digest(),
                        asset.blob().size(),
                        media,
                        Boolean.TRUE.equals(file.executable())));
            }
            var requires = answer.requires() == null
                    ? List.<Requirement>of()
                    : answer.requires().stream().map(RequiredBundle::parsed).toList();
            var document = OciPackaging.of(
                            bundle.repository(),
                            bundle.version(),
                            answer.name(),
                            answer.description(),
                            assets,
                            requires)
                    .manifest();
            return document.digest().equals(bundle.manifest()) ? document.bytes() : null;
        } catch (ProblemException e) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        if (lock != null) {
            lock.close();
        }
    }
}
