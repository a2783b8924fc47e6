package dev.sheaf.server.http.v1;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.wire.Asset;
import dev.sheaf.server.bundle.Content;
import dev.sheaf.server.http.Answer;
import dev.sheaf.server.http.ByteRange;
import dev.sheaf.server.http.Call;
import dev.sheaf.server.http.Conditions;
import dev.sheaf.server.http.Negotiation;
import dev.sheaf.server.http.Preconditions;
import dev.sheaf.server.registry.BlobContent;
import dev.sheaf.server.registry.Blobs;
import dev.sheaf.server.registry.Repository;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/// The content of one asset, as bytes or in a record.
final class AssetContent {
    private static final int COPIES = 3; // bytes, text and JSON are in memory together

    private final Blobs blobs;
    private final long maxText;

    /// @param maxText bytes of a text that is put into a record
    AssetContent(Blobs blobs, long maxText) {
        this.blobs = blobs;
        this.maxText = maxText;
    }

    /// Whether the caller wants the bytes themselves; who takes both gets the record.
    static boolean isWantedRaw(Call call) {
        return Negotiation.choose(call, List.of("application/json", MediaType.OCTETS))
                .equals(MediaType.OCTETS);
    }

    /// The bytes, or a range of them. Never under the asset's own type: what publishers upload is not to run in a
    /// browser.
    Answer raw(Call call, Repository repository, Digest digest) {
        var content = open(repository, digest);
        var answer = Conditions.isUnmodified(call, digest) ? Answer.empty(304) : whole(call, digest, content);
        return answer.with("ETag", Conditions.etag(digest))
                .with("Accept-Ranges", "bytes")
                .with("Content-Disposition", "attachment");
    }

    private BlobContent open(Repository repository, Digest digest) {
        var blob = blobs.find(repository, digest).orElseThrow(() -> new Problem.BlobUnknown(digest).raise());
        return blobs.open(blob);
    }

    private static Answer whole(Call call, Digest digest, BlobContent content) {
        long size = content.length();
        String field = field(digest);
        return ByteRange.of(Conditions.range(call, digest), size)
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

    /// As RFC 9530 writes a digest. Content-Digest is that of what is sent, so a range goes without.
    private static String field(Digest digest) {
        String name = digest.algorithm() == Digest.Algorithm.SHA256 ? "sha-256" : "sha-512";
        return name + "=:" + Base64.getEncoder().encodeToString(HexFormat.of().parseHex(digest.hex())) + ":";
    }

    /// The record with its text, where it is one and not too long. The validator is that of the record without it,
    /// which names the hash of the text.
    Answer detail(Call call, Repository repository, Digest digest, Asset asset) {
        String etag = Preconditions.etag(asset);
        if (asset.sizeBytes() > maxText) {
            return Answer.ok(asset).with("ETag", etag);
        }
        call.borrow(COPIES * asset.sizeBytes());
        var text = Content.text(open(repository, digest).bytes());
        return Answer.ok(asset.with(text.orElse(null))).with("ETag", etag);
    }
}
