package dev.sheaf.server.bundle;

import dev.sheaf.model.Problem;
import java.util.List;

/// How large a version may be (contract 6). Bytes, unless it says otherwise.
public record Limits(long asset, long bundle, int assets) {
    /// @throws dev.sheaf.model.ProblemException payload-too-large, or validation-failed for the number of assets
    void check(List<NewAsset> content) {
        if (content.size() > assets) {
            throw Problem.invalid(
                    "range", "a version has at most " + assets + " assets; this one has " + content.size());
        }
        long total = 0;
        for (NewAsset one : content) {
            if (one.size() > asset) {
                throw new Problem.PayloadTooLarge("the asset " + one.path(), asset).raise();
            }
            total += one.size();
        }
        if (total > bundle) {
            throw new Problem.PayloadTooLarge("the bundle's content", bundle).raise();
        }
    }
}
