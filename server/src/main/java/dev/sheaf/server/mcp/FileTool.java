package dev.sheaf.server.mcp;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.agents.BundleSkills;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.ClientKind;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.http.message.Call;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The tool `read_file`. Thread-safe.
public final class FileTool {
    private static final int MAX_PATH = 1_000;
    private static final int LARGEST = 1 << 20; // more than models read

    private final ReadableBundles shelf;
    private final AssetBytes contents;
    private final PullCounts downloads;

    public FileTool(ReadableBundles shelf, AssetBytes contents, PullCounts downloads) {
        this.shelf = shelf;
        this.contents = contents;
        this.downloads = downloads;
    }

    private record Wanted(BundleTools.Wanted version, String path) {
        static Wanted parse(RequestFields fields) {
            fields.only(Set.of("bundle", "version", "path"));
            return new Wanted(BundleTools.Wanted.of(fields), fields.required("path", MAX_PATH));
        }
    }

    /// @throws ProblemException validation-failed; those of [ReadableBundles#version]; asset-not-found
    MethodResult read(Call call, RequestFields fields) {
        var wanted = fields.to(Wanted::parse);
        var name = wanted.version().bundle();
        var version = shelf.version(call.caller(), name, wanted.version().version());
        var exact = version.version().resolved().version().version();
        var file = version.version().resolved().assets().stream()
                .filter(asset -> asset.path().value().equals(wanted.path()))
                .findFirst()
                .orElseThrow(
                        () -> new Problem.AssetNotFound(wanted.path(), "version " + exact + " of " + name).raise());
        if (file.size() > LARGEST) {
            return ModelTools.failed(wanted.path() + " has " + file.size() + " bytes, but this tool reads at most "
                    + LARGEST + "; fetch it with the command: sheaf pull " + name + ":" + exact);
        }
        return content(call, version, file);
    }

    private MethodResult content(Call call, BundleSkills.Target version, StoredAsset file) {
        var content = FileContent.read(call, contents, version.bundle(), file);
        pulled(downloads, call, version);
        Map<String, Object> told = content.isText()
                ? MethodResult.members("type", "text", "text", content.value())
                : MethodResult.members("type", "resource", "resource", resource(file, content));
        return new MethodResult(
                MethodResult.members("content", List.of(told), "isError", false),
                content.value().length());
    }

    /// Counts a pull of a version whose file a model gets: no model ever asks for all files.
    static void pulled(PullCounts downloads, Call call, BundleSkills.Target version) {
        downloads.pulled(
                call.caller(),
                call.address(),
                ClientKind.MCP,
                version.bundle().repository(),
                version.version().resolved().version().manifestId());
    }

    private static Map<String, Object> resource(StoredAsset file, FileContent content) {
        return MethodResult.members(
                "uri", "sheaf:" + file.digest(), "mimeType", file.mediaType(), content.member(), content.value());
    }
}
