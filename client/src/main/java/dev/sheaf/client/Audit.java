package dev.sheaf.client;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.Call;
import dev.sheaf.client.http.Reply;
import dev.sheaf.client.http.Transport;
import dev.sheaf.client.io.Disk;
import dev.sheaf.model.wire.admin.AuditRecord;
import dev.sheaf.model.wire.Page;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The audit log of an organization, or of the installation, which takes an administrator's key. Thread-safe.
public final class Audit {
    private static final int BUFFER = 64 << 10;
    private static final String LINES = "application/jsonl, application/problem+json";

    private final Transport transport;

    Audit(Transport transport) {
        this.transport = transport;
    }

    /// The entry at that place in the installation's chain, or empty.
    public Optional<AuditRecord> at(long seq) {
        Page<AuditRecord> page = transport.page(Call.get(log(null, "?seq=" + seq)), AuditRecord.class);
        return page.data().stream().findFirst();
    }

    /// Writes all entries as JSON lines, the oldest first.
    ///
    /// @param organization its id or handle; null: of the whole installation
    /// @throws IOException where `to` does not take them
    /// @throws SheafException where the registry does not give them, or not all of them
    public void export(@Nullable String organization, OutputStream to) throws IOException {
        try (Reply reply = transport.once(Call.get(log(organization, "")).header("Accept", LINES))) {
            byte[] buffer = new byte[BUFFER];
            for (int count = read(reply, buffer); count >= 0; count = read(reply, buffer)) {
                to.write(buffer, 0, count);
            }
        }
    }

    /// The same into a new file, which is there only once it holds all of them.
    ///
    /// @throws SheafException.Local where it is there already, or cannot be written
    public void export(@Nullable String organization, Path file) {
        if (Files.exists(file)) {
            throw new SheafException.Local(file + " is there already and was not changed", null);
        }
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            try (var out = Files.newOutputStream(part)) {
                export(organization, out);
            }
            Files.move(part, file);
        } catch (IOException e) {
            discard(part);
            throw Disk.failed("cannot write " + file, e);
        } catch (SheafException e) {
            discard(part);
            throw e;
        }
    }

    private static void discard(Path part) {
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            // why it was not finished matters more
        }
    }

    private int read(Reply reply, byte[] buffer) {
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
