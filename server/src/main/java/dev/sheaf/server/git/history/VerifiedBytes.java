package dev.sheaf.server.git.history;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.BlobContent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The bytes of an asset, read piece by piece and compared with their digest: an id of git that was made of
/// damaged bytes would look like any other. Not thread-safe.
final class VerifiedBytes extends InputStream {
    private static final Logger LOG = LoggerFactory.getLogger(VerifiedBytes.class);
    private static final int PIECE = 4 << 20;

    private final StoredAsset asset;
    private final BlobContent content;
    private final Runnable check;
    private final MessageDigest hash;
    private byte[] piece = {};
    private int at;
    private long read;

    /// @param check called before each piece; throws if reading must end
    /// @throws ProblemException service-unavailable if the bytes are damaged or missing, as from each method
    VerifiedBytes(Repository repository, AssetBytes contents, StoredAsset asset, Runnable check) {
        this.asset = asset;
        this.check = check;
        this.hash = asset.digest().algorithm().newHash();
        try {
            this.content = contents.open(repository, asset.digest(), asset.size());
        } catch (ProblemException e) {
            throw e.problem() instanceof Problem.BlobUnknown ? Derivation.unreadable(asset) : e;
        }
    }

    /// Returns all bytes of a small asset.
    static byte[] all(Repository repository, AssetBytes contents, StoredAsset asset) {
        try (var in = new VerifiedBytes(repository, contents, asset, () -> {})) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean fill() {
        if (at < piece.length) {
            return true;
        }
        if (read == asset.size()) {
            return false;
        }
        check.run();
        int count = (int) Math.min(PIECE, asset.size() - read);
        var out = new ByteArrayOutputStream(count);
        try {
            content.writeTo(out, read, count);
        } catch (IOException e) {
            LOG.error("cannot read {}: {}", asset.digest(), e.toString());
            LOG.debug("where it failed", e);
            throw Derivation.unreadable(asset);
        }
        piece = out.toByteArray();
        at = 0;
        read += piece.length;
        hash.update(piece);
        if (piece.length != count || read == asset.size() && !isRight()) {
            throw Derivation.unreadable(asset);
        }
        return true;
    }

    private boolean isRight() {
        return Digest.finish(asset.digest().algorithm(), hash.digest()).equals(asset.digest());
    }

    @Override
    public int read() {
        return fill() ? piece[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) {
        if (count == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int some = Math.min(count, piece.length - at);
        System.arraycopy(piece, at, bytes, offset, some);
        at += some;
        return some;
    }
}
