package dev.sheaf.server.bundle.api;

import dev.sheaf.model.AssetType;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import java.util.List;

/// The words for kinds of assets that a caller knows. One reader knows an older word for toolset (contract
/// 3.4).
///
/// @param old whether the caller is that reader
public record AssetWords(boolean old) {
    private static final String OLD_READER = "mush/";
    private static final String OLD_TOOLSET = "tool_config";

    public static AssetWords of(Call call) {
        return new AssetWords(call.header("User-Agent")
                .filter(agent -> agent.startsWith(OLD_READER))
                .isPresent());
    }

    public String of(AssetType type) {
        return old && type == AssetType.TOOLSET ? OLD_TOOLSET : type.toString();
    }

    /// Adds Vary if the answer contains a toolset, because it then depends on its reader.
    @SafeVarargs
    static Answer vary(Answer answer, List<StoredAsset>... lists) {
        for (var assets : lists) {
            for (var asset : assets) {
                if (asset.assetType() == AssetType.TOOLSET) {
                    return answer.with("Vary", "User-Agent");
                }
            }
        }
        return answer;
    }
}
