package dev.sheaf.server.mcp;

import dev.sheaf.model.text.Utf8Text;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.http.message.Call;
import java.util.Base64;
import java.util.Optional;

/// A file in JSON: UTF-8 as a string, other bytes in base64.
///
/// @param isText whether the member is `text`; otherwise it is `blob`
record FileContent(boolean isText, String value) {
    private static final int COPIES = 3; // the bytes, and their encoded forms

    /// @throws dev.sheaf.model.ProblemException those of [AssetBytes#open]; rate-limited if memory is short
    static FileContent read(Call call, AssetBytes contents, BundleSnapshot bundle, StoredAsset file) {
        call.borrow("the file " + file.path(), file.size(), COPIES);
        byte[] bytes = contents.bytes(bundle.repository(), file);
        var content = call.computed(bytes.length, budget -> of(bytes));
        call.borrow("the answer with the file " + file.path(), content.written(), 2);
        return content;
    }

    private static FileContent of(byte[] bytes) {
        Optional<String> text = Utf8Text.of(bytes);
        return text.isPresent()
                ? new FileContent(true, text.get())
                : new FileContent(false, Base64.getEncoder().encodeToString(bytes));
    }

    /// Returns the approximate number of bytes in an answer.
    private long written() {
        if (!isText) {
            return value.length();
        }
        long length = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            length += c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t'
                    ? 2
                    : c < ' ' ? 6 : c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
        }
        return length;
    }

    String member() {
        return isText ? "text" : "blob";
    }
}
