package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.bundle.Asset;

/// An asset that was sent with its bytes.
public final class SentAsset {
    private static final LogicalPath NO_PATH = new LogicalPath("none");

    final Asset asset;
    final byte[] bytes;

    private SentAsset(Asset asset, byte[] bytes) {
        this.asset = asset;
        this.bytes = bytes;
    }

    /// Returns an asset of a file.
    ///
    /// @param bytes used, not copied
    public static SentAsset of(LogicalPath path, byte[] bytes, boolean executable) {
        var digest = Digest.sha256(bytes);
        return new SentAsset(
                Asset.declared(path, null, digest, bytes.length, MediaType.infer(path), executable), bytes);
    }

    /// @param maxText the maximum size of a text in bytes
    static SentAsset parse(RequestFields entry, int maxText) {
        var path = entry.parsed("logicalPath", LogicalPath::parse, NO_PATH);
        String declared = entry.optional("assetType", AssetEdit.MAX_TYPE);
        var mediaType = entry.parsedOr("mediaType", MediaType::parse, MediaType.infer(path));
        byte[] bytes = bytes(entry, maxText);
        boolean executable = Boolean.TRUE.equals(entry.flag("executable"));
        var digest = Digest.sha256(bytes);
        var claimed = entry.optional("contentSha256", Digest::ofSha256Hex);
        if (claimed != null && !claimed.equals(digest)) {
            entry.error("contentSha256", "format", "does not match the content, whose hash is " + digest.hex());
        }
        return new SentAsset(Asset.declared(path, declared, digest, bytes.length, mediaType, executable), bytes);
    }

    /// Returns the content from one of its two members. An empty string next to base64 is allowed, because
    /// pulled binary assets look like that.
    private static byte[] bytes(RequestFields entry, int maxText) {
        byte[] text = entry.utf8("contentText", maxText);
        if (entry.has("contentBase64")) {
            byte[] binary = entry.base64("contentBase64");
            if (text != null && text.length > 0) {
                entry.error("contentBase64", "range", "cannot be sent together with \"contentText\"");
            }
            return binary == null ? new byte[0] : binary;
        }
        if (!entry.has("contentText")) {
            entry.error("contentText", "required", "or \"contentBase64\" is required");
        }
        return text == null ? new byte[0] : text;
    }
}
