package dev.sheaf.client.oci;

import dev.sheaf.client.api.Blob;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.cache.BlobCache;
import dev.sheaf.client.cache.PartialFile;
import dev.sheaf.client.http.ErrorResponses;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.HttpReply;
import dev.sheaf.client.http.RegistryTransport;
import java.io.IOException;
import java.net.URI;

/// Downloads a blob from `/v2`, and continues with a range request if a connection breaks. Attempts that make good
/// progress do not count against the limit of attempts, so that a large blob also arrives over a poor connection.
public final class BlobDownload implements BlobCache.Download {
    private static final int BUFFER = 64 << 10;
    private static final long GOOD_PIECE = 1 << 20;
    private static final int MOST_REDIRECTS = 3;

    private final OciRepository repository;
    private final RegistryTransport transport;
    private final HttpCall call;
    private final Blob blob;
    private final Progress.Transfer progress;

    BlobDownload(OciRepository repository, Blob blob, Progress.Transfer progress) {
        this.repository = repository;
        this.transport = repository.transport();
        var get = HttpCall.get(transport.at("/v2/" + repository.name() + "/blobs/" + blob.digest()))
                .expecting(200, 206, 301, 302, 303, 307, 308, 416);
        // Redirects to other hosts are not followed from a registry without TLS, so it is asked not to send them.
        this.call = transport.registry().scheme().equals("http") ? get.header("Prefer", "no-redirect") : get;
        this.blob = blob;
        this.progress = progress;
    }

    @Override
    public void into(PartialFile file) throws IOException {
        progress.advance(file.length());
        int failed = 0;
        while (true) {
            long before = file.length();
            try {
                attempt(file);
                return;
            } catch (SheafException e) {
                failed = file.length() - before >= GOOD_PIECE ? 1 : failed + 1;
                transport.retries().pauseAfter(e, failed);
            }
        }
    }

    private void attempt(PartialFile file) throws IOException {
        HttpCall ranged = file.length() == 0 ? call : call.header("Range", "bytes=" + file.length() + "-");
        try (HttpReply reply = follow(ranged)) {
            switch (reply.status()) {
                case 206 -> checkContinues(reply, file);
                case 416 -> {
                    startOver(file);
                    throw new SheafException.Network(
                            transport.registry() + " refused to send the rest of a blob", null);
                }
                default -> startOver(file);
            }
            checkLength(reply, file);
            read(reply, file);
        }
    }

    /// Follows the redirects of blob requests, since a registry may store blobs on another host. Never sends
    /// the credential to the target. Without TLS, only follows redirects to the registry itself, because
    /// another port is another service.
    private HttpReply follow(HttpCall first) {
        HttpCall next = first;
        for (int redirects = 0; ; redirects++) {
            HttpReply reply = repository.sender().once(next);
            if (reply.status() / 100 != 3) {
                return reply;
            }
            reply.close();
            String location = reply.header("Location").orElse("");
            if (redirects == MOST_REDIRECTS) {
                throw new SheafException.Server("blob " + blob.digest() + " has too many redirects");
            }
            next = first.anonymouslyAt(target(next.uri(), location));
        }
    }

    private URI target(URI from, String location) {
        try {
            URI to = from.resolve(location);
            String scheme = String.valueOf(to.getScheme());
            boolean same = transport.registry().isOriginOf(to);
            if (!location.isEmpty()
                    && to.getHost() != null
                    && RegistryUrl.hasPort(to)
                    && (scheme.equals("https") || same)) {
                return to;
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        throw new SheafException.Server("blob " + blob.digest() + " is redirected to "
                + ErrorResponses.showable(location) + ", which is neither https nor the registry's own host and port");
    }

    private void startOver(PartialFile file) throws IOException {
        progress.advance(-file.length());
        file.reset();
    }

    private void checkContinues(HttpReply reply, PartialFile file) {
        String expected = "bytes " + file.length() + "-" + (blob.size() - 1) + "/" + blob.size();
        String actual = reply.header("Content-Range").orElse("");
        if (!actual.equals(expected)) {
            throw new SheafException.Integrity("blob " + blob.digest() + ": asked for " + expected
                    + " the registry answered " + ErrorResponses.showable(actual));
        }
    }

    private void checkLength(HttpReply reply, PartialFile file) {
        long announced = reply.contentLength();
        if (announced >= 0 && announced != blob.size() - file.length()) {
            throw new SheafException.Integrity("blob " + blob.digest() + " is sent with " + (announced + file.length())
                    + " bytes, but its manifest states " + blob.size());
        }
    }

    private void read(HttpReply reply, PartialFile file) throws IOException {
        byte[] buffer = new byte[Math.clamp(blob.size(), 1, BUFFER)];
        for (int count = next(reply, buffer); count >= 0; count = next(reply, buffer)) {
            file.append(buffer, count);
            progress.advance(count);
        }
        if (!file.isComplete()) {
            throw new SheafException.Network("the connection to " + transport.registry() + " ended early", null);
        }
    }

    /// Reads the next bytes. A failure to read is a failure of the network, unlike a failure to write to the
    /// disk.
    private int next(HttpReply reply, byte[] buffer) {
        try {
            return reply.body().read(buffer);
        } catch (IOException e) {
            throw transport.broken(e);
        }
    }
}
