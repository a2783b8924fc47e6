package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.registry.content.StagedBlob;
import org.jspecify.annotations.Nullable;

/// The properties of an asset in a PUT, besides its content (contract 3.4).
///
/// @param declared the type that the publisher states; null to infer it from the path
/// @param executable null to keep the mode; a new asset is then not executable
public record AssetEdit(
        LogicalPath path,
        @Nullable String declared,
        String mediaType,
        @Nullable Boolean executable) {
    /// Limit of a type in characters.
    public static final int MAX_TYPE = 100;

    public static AssetEdit parse(RequestFields fields, LogicalPath path) {
        return new AssetEdit(
                path,
                fields.optional("assetType", MAX_TYPE),
                fields.parsedOr("mediaType", MediaType::parse, MediaType.infer(path)),
                fields.flag("executable"));
    }

    /// Returns the content if it is sent as text in JSON.
    ///
    /// @param max the maximum size in bytes
    public static byte[] text(RequestFields fields, int max) {
        byte[] text = fields.utf8("contentText", max);
        if (!fields.has("contentText")) {
            fields.error(
                    "contentText",
                    "required",
                    "is required; to store a JSON file itself, send it as application/octet-stream");
        }
        return text == null ? new byte[0] : text;
    }

    public Asset of(StagedBlob content) {
        return Asset.declared(path, declared, content.digest(), content.size(), mediaType, executable);
    }
}
