package dev.sheaf.server.bundle;

import dev.sheaf.model.Problem;
import java.util.List;

/// How large a version may be (contract 6). Bytes, unless it says otherwise; those of one that is packed as a bundle,
/// while of an image the limit of a blob holds.
public record Limits(long asset, long bundle, int assets) {
    /// @throws dev.sheaf.model.ProblemException payload-too-large, or validation-failed for the number of assets
    void check(Publication.Content content) {
        if (content.isBundle()) {
            check(content.assets());
        } else {
            checkNumber(content.assets());
        }
    }

    private void checkNumber(List<NewAsset> content) {
        if (content.size() > assets) {
            throw Problem.invalid(
                    "range", "a version has at most " + assets + " assets; this one has " + content.size());
        }
    }

    /// @throws dev.sheaf.model.ProblemException payload-too-large, or validation-failed for the number of assets
    void check(List<NewAsset> content) {
        checkNumber(content);
        long total = 0;
        for (NewAsset one : content) {
            if (one.size() > asset) {
                throw new Problem.PayloadTooLarge("the asset " + one.path() + " (max-asset-bytes)", asset).raise();
            }
            total += one.size();
        }
        if (total > bundle) {
            throw new Problem.PayloadTooLarge("the bundle's content (max-bundle-bytes)", bundle).raise();
        }
    }
}
