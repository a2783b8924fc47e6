package dev.sheaf.client.push;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.io.ByteSizes;
import dev.sheaf.model.Problem;
import dev.sheaf.model.oci.OciPackaging;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The limits for one version that a registry reports (contract 6), so that content that is too large is not
/// sent in vain. Older registries and other products report fewer limits; then the push itself fails.
record RegistryLimits(
        @Nullable Long maxAssetBytes,
        @Nullable Long maxBundleBytes,
        @Nullable Integer maxAssets,
        @Nullable Long maxPushBytes) {
    private static final RegistryLimits UNKNOWN = new RegistryLimits(null, null, null, null);

    static RegistryLimits of(RegistryTransport transport) {
        try {
            return transport.json(HttpCall.get(transport.at("/v1/limits")), RegistryLimits.class);
        } catch (SheafException.NotFound
                | SheafException.Server
                | SheafException.Unauthenticated
                | SheafException.Forbidden
                | SheafException.InvalidRequest e) {
            return UNKNOWN;
        }
    }

    /// @throws SheafException.InvalidRequest with all exceeded limits
    void check(BundlePush.Content content) {
        var missing = missing(content);
        if (missing.size() == 1) {
            throw new SheafException.InvalidRequest(missing.getFirst());
        }
        if (!missing.isEmpty()) {
            throw new SheafException.InvalidRequest(
                    "this exceeds the limits of the registry; nothing was sent",
                    SheafException.Answer.NONE,
                    missing.stream()
                            .map(why -> new Problem.FieldError("", "payload-too-large", why))
                            .toList());
        }
    }

    /// Returns whether the registry takes a push of that many bytes in one request, as far as it tells.
    boolean allowPush(long bytes) {
        return maxPushBytes == null || bytes <= maxPushBytes;
    }

    /// Returns a sentence for each limit that is exceeded.
    List<String> missing(BundlePush.Content content) {
        var missing = new ArrayList<String>();
        for (OciPackaging.Asset asset : content.assets()) {
            if (maxAssetBytes != null && asset.size() > maxAssetBytes) {
                missing.add(asset.path() + " has " + ByteSizes.text(asset.size()) + "; this registry takes "
                        + ByteSizes.text(maxAssetBytes) + " per file (max-asset-bytes)");
            }
        }
        if (maxBundleBytes != null && content.sizeBytes() > maxBundleBytes) {
            missing.add("the files have " + ByteSizes.text(content.sizeBytes()) + " together; this registry takes "
                    + ByteSizes.text(maxBundleBytes) + " per version (max-bundle-bytes)");
        }
        if (maxAssets != null && content.assets().size() > maxAssets) {
            missing.add("there are " + content.assets().size() + " files; this registry takes " + maxAssets
                    + " per version (max-assets)");
        }
        return missing;
    }
}
