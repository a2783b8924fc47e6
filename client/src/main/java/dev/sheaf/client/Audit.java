package dev.sheaf.client;

import dev.sheaf.model.wire.AuditRecord;
import dev.sheaf.model.wire.Page;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The audit log of an organization, or of the installation, which takes an administrator's key. Thread-safe.
public final class Audit {
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
    public void export(@Nullable String organization, OutputStream to) throws IOException {
        try (Reply reply = transport.once(Call.get(log(organization, "")).header("Accept", LINES))) {
            reply.body().transferTo(to);
        }
    }

    private URI log(@Nullable String organization, String query) {
        String owner = organization == null
                ? "/v1/admin"
                : "/v1/organizations/" + URLEncoder.encode(organization, StandardCharsets.UTF_8);
        return transport.registry().at(owner + "/audit-log" + query);
    }
}
