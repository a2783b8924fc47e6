package dev.sheaf.server.v1.bundle;

import dev.sheaf.model.AssetType;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import java.util.stream.Stream;

/// The words for kinds of asset that a caller knows: one reader knows an older word for toolset (contract 3.4).
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

    /// The answer, which depends on who reads it where it names a toolset.
    static Answer vary(Answer answer, Stream<AssetType> types) {
        return types.anyMatch(type -> type == AssetType.TOOLSET) ? answer.with("Vary", "User-Agent") : answer;
    }
}
