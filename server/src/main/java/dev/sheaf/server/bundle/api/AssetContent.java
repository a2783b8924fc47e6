package dev.sheaf.server.bundle.api;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.text.Utf8Text;
import dev.sheaf.model.wire.bundle.Asset;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalRead;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.ContentNegotiation;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.BlobContent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Returns the content of one asset, as bytes or in a record.
final class AssetContent {
    private static final String JSON = "application/json";
    private static final int START = 64 << 10;
    private static final int COPIES = 3; // bytes, text and JSON are in memory together

    private final AssetBytes contents;
    private final long maxText;

    /// @param maxText largest text, in bytes, that is put into a record
    AssetContent(AssetBytes contents, long maxText) {
        this.contents = contents;
        this.maxText = maxText;
    }

    /// The answer to a request for binary content that names no form. A record cannot contain such content.
    enum Binary {
        /// Returns the bytes if the Accept header allows them.
        RAW,
        /// Refuses and says how to ask.
        REFUSED
    }

    /// An asset as its readers know it.
    ///
    /// @param where the asset is, in words for people
    record Known(String where, Digest digest, Asset wire) {}

    /// Returns the asset as a record, or its bytes if the caller prefers them. A caller who accepts both gets
    /// the record of a text.
    ///
    /// @throws dev.sheaf.model.ProblemException binary-assets
    Answer of(Call call, Repository repository, Known asset, Binary binary) {
        String form = ContentNegotiation.choose(call, List.of(JSON, MediaType.OCTETS));
        if (form.equals(MediaType.OCTETS)) {
            return raw(call, repository, asset);
        }
        var wire = asset.wire();
        String etag = ConditionalWrite.etag(wire);
        return ConditionalRead.unmodified(call, etag).orElseGet(() -> read(call, repository, asset, binary, etag));
    }

    private Answer read(Call call, Repository repository, Known asset, Binary binary, String etag) {
        call.pay();
        var wire = asset.wire();
        var content = open(repository, asset);
        if (wire.sizeBytes() > maxText) {
            if (isText(content)) {
                return record(wire, null, etag);
            }
        } else {
            call.borrow("the asset as a record (ask with Accept: application/octet-stream)", wire.sizeBytes(), COPIES);
            var text = Utf8Text.of(content.bytes());
            if (text.isPresent()) {
                return record(wire, text.get(), etag);
            }
        }
        boolean rawWillDo = binary == Binary.RAW
                ? ContentNegotiation.accepts(call, MediaType.OCTETS)
                : ContentNegotiation.names(call, MediaType.OCTETS);
        if (rawWillDo) {
            return raw(call, repository, asset);
        }
        throw BinaryContent.of(
                        "an asset of " + asset.where(),
                        List.of(wire.logicalPath()),
                        "ask with Accept: application/octet-stream for its bytes")
                .raise();
    }

    /// The validator is the one of the record without the text, because the record contains the text's hash.
    private static Answer record(Asset asset, @Nullable String text, String etag) {
        return Answer.ok(asset.with(text)).with("ETag", etag);
    }

    /// Returns whether content that is too long to examine as a whole begins like a text.
    private static boolean isText(BlobContent content) {
        var start = new ByteArrayOutputStream();
        try {
            content.writeTo(start, 0, Math.min(content.length(), START));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var bytes = ByteBuffer.wrap(start.toByteArray());
        var chars = CharBuffer.allocate(bytes.remaining());
        return !StandardCharsets.UTF_8.newDecoder().decode(bytes, chars, false).isError();
    }

    /// Returns the bytes or a range of them. They never have the asset's own media type, so that uploaded
    /// content cannot run in a browser.
    private Answer raw(Call call, Repository repository, Known asset) {
        var digest = asset.digest();
        var answer = ConditionalRead.isUnmodified(call, digest)
                ? Answer.empty(304)
                : whole(call, digest, opened(call, repository, asset));
        return answer.with("ETag", ConditionalRead.etag(digest))
                .with("Accept-Ranges", "bytes")
                .with("Content-Disposition", "attachment");
    }

    private BlobContent opened(Call call, Repository repository, Known asset) {
        call.pay();
        return open(repository, asset);
    }

    private BlobContent open(Repository repository, Known asset) {
        return contents.open(repository, asset.digest(), asset.wire().sizeBytes());
    }

    private static Answer whole(Call call, Digest digest, BlobContent content) {
        long size = content.length();
        String field = field(digest);
        return ConditionalRead.range(call, digest, size)
                .map(range -> Answer.content(
                                206,
                                MediaType.OCTETS,
                                range.count(),
                                out -> content.writeTo(out, range.from(), range.count()))
                        .with("Content-Range", range.header(size)))
                .orElseGet(() -> Answer.content(200, MediaType.OCTETS, size, out -> content.writeTo(out, 0, size))
                        .with("Content-Digest", field))
                .with("Repr-Digest", field);
    }

    /// Formats a digest as in RFC 9530. Content-Digest covers what is sent, so a range has none.
    private static String field(Digest digest) {
        String name = digest.algorithm() == Digest.Algorithm.SHA256 ? "sha-256" : "sha-512";
        return name + "=:" + Base64.getEncoder().encodeToString(HexFormat.of().parseHex(digest.hex())) + ":";
    }
}
