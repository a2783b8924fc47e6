package dev.sheaf.client;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.HttpReply;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.admin.AuditRecord;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The audit log of an organization, or of the whole installation, which needs an administrator's key.
/// Thread-safe.
public final class Audit {
    private static final int BUFFER = 64 << 10;
    private static final String LINES = "application/jsonl, application/problem+json";

    private final RegistryTransport transport;

    Audit(RegistryTransport transport) {
        this.transport = transport;
    }

    /// Returns the entry with this number in the installation's chain; empty if it does not exist.
    public Optional<AuditRecord> at(long seq) {
        Page<AuditRecord> page = transport.page(HttpCall.get(log(null, "?seq=" + seq)), AuditRecord.class);
        return page.data().stream().findFirst();
    }

    /// Writes all entries as JSON lines, oldest first.
    ///
    /// @param organization an id or a handle; null for the whole installation
    /// @throws IOException if `to` cannot be written
    /// @throws SheafException if the registry refuses, or the response is incomplete
    public void export(@Nullable String organization, OutputStream to) throws IOException {
        try (HttpReply reply =
                transport.once(HttpCall.get(log(organization, "")).header("Accept", LINES))) {
            byte[] buffer = new byte[BUFFER];
            for (int count = read(reply, buffer); count >= 0; count = read(reply, buffer)) {
                to.write(buffer, 0, count);
            }
        }
    }

    /// Writes all entries to a new file, which only appears once it is complete.
    ///
    /// @throws SheafException.Local if the file exists already, or cannot be written
    public void export(@Nullable String organization, Path file) {
        if (Files.exists(file)) {
            throw new SheafException.Local(file + " exists already and was not changed", null);
        }
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            try (var out = Files.newOutputStream(part)) {
                export(organization, out);
            }
            Files.move(part, file);
        } catch (IOException e) {
            discard(part);
            throw DiskFailures.failed("cannot write " + file, e);
        } catch (SheafException e) {
            discard(part);
            throw e;
        }
    }

    private static void discard(Path part) {
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            // the caller reports the original failure
        }
    }

    private int read(HttpReply reply, byte[] buffer) {
        try {
            return reply.body().read(buffer);
        } catch (IOException e) {
            throw transport.broken(e);
        }
    }

    private URI log(@Nullable String organization, String query) {
        String owner = organization == null
                ? "/v1/admin"
                : "/v1/organizations/" + URLEncoder.encode(organization, StandardCharsets.UTF_8);
        return transport.at(owner + "/audit-log" + query);
    }
}
