package dev.sheaf.server.v1.admin;

import static dev.sheaf.server.http.message.Method.GET;

import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.admin.AuditRecord;
import dev.sheaf.server.audit.AuditEntry;
import dev.sheaf.server.audit.AuditFilter;
import dev.sheaf.server.audit.AuditLog;
import dev.sheaf.server.audit.AuditRow;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.http.message.Negotiation;
import dev.sheaf.server.http.message.Paging;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.input.Timestamps;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The audit log (contract 5.5): of an organization for its admins, of the installation for its administrators,
/// and of a person for themselves. As pages of JSON, newest first, or as a whole in JSON lines, oldest first.
public final class AuditApi {
    private static final String JSON = "application/json";
    private static final String LINES = "application/jsonl";
    private static final int LONGEST = 500;
    private static final String[] FILTERS = {
        "actor", "action", "subject", "outcome", "requestId", "since", "until", "seq"
    };

    private final AuditLog log;

    public AuditApi(AuditLog log) {
        this.log = log;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, "/v1/organizations/{org_id}/audit-log", Need.ADMIN, this::ofOrganization),
                new Route(GET, "/v1/users/me/audit-log", Need.PERSON, this::own),
                new Route(GET, "/v1/admin/audit-log", Need.ADMIN, call -> answer(call, null)));
    }

    private Answer ofOrganization(Call call) {
        Access.unrestricted(call.origin().caller()); // the log mentions every bundle
        return answer(call, call.organization());
    }

    /// Returns a person's own actions in all organizations. The person may see these actions as long as the
    /// account exists.
    private Answer own(Call call) {
        var caller = call.origin().caller();
        Access.unrestricted(caller);
        return page(call, filter(call, null, caller.actor()));
    }

    private Answer answer(Call call, @Nullable UUID organization) {
        var filter =
                filter(call, organization, call.query("actor", AuditApi::text).orElse(null));
        String type = Negotiation.choose(call, List.of(JSON, LINES));
        if (type.equals(LINES)) {
            return Answer.stream(LINES, out -> export(filter, out)).with("Cache-Control", "private, no-store");
        }
        return page(call, filter);
    }

    private Answer page(Call call, AuditFilter filter) {
        var paging = Paging.of(call, FILTERS);
        var rows = log.page(filter, paging.after(), paging.fetch());
        return paging.answer(rows, row -> row.id().toString(), AuditApi::wire)
                .with("Cache-Control", "private, no-store");
    }

    private void export(AuditFilter filter, OutputStream out) {
        log.export(filter, row -> {
            try {
                out.write(line(row));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /// Returns an entry as a line of JSON.
    public static byte[] line(AuditRow row) {
        byte[] json = Json.write(wire(row));
        byte[] line = Arrays.copyOf(json, json.length + 1);
        line[json.length] = '\n';
        return line;
    }

    private static AuditFilter filter(Call call, @Nullable UUID organization, @Nullable String actor) {
        return new AuditFilter(
                organization,
                actor,
                call.query("action", AuditApi::text).orElse(null),
                call.query("subject", AuditApi::text).orElse(null),
                call.query("outcome", AuditApi::outcome).orElse(null),
                call.query("requestId", AuditApi::text).orElse(null),
                call.query("since", Timestamps::parse).orElse(null),
                call.query("until", Timestamps::parse).orElse(null),
                call.query("seq", AuditApi::number).orElse(null));
    }

    private static String text(String text) {
        if (text.isEmpty() || text.length() > LONGEST || text.indexOf('\0') >= 0) {
            throw Problem.invalid("range", "must have 1 to " + LONGEST + " characters");
        }
        return text;
    }

    private static AuditEntry.Outcome outcome(String text) {
        for (var outcome : AuditEntry.Outcome.values()) {
            if (outcome.toString().equals(text)) {
                return outcome;
            }
        }
        throw Problem.invalid("unknown", "must be success or denied");
    }

    private static Long number(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw Problem.invalid("format", "must be a number");
        }
        return Long.valueOf(text);
    }

    private static AuditRecord wire(AuditRow row) {
        var entry = row.entry();
        return new AuditRecord(
                row.id(),
                row.at(),
                actor(entry),
                entry.action(),
                entry.subject(),
                entry.outcome().toString(),
                entry.detail(),
                entry.times(),
                entry.address(),
                entry.requestId(),
                row.seq(),
                row.hash());
    }

    private static AuditRecord.Actor actor(AuditEntry entry) {
        int colon = entry.actor().indexOf(':');
        return colon < 0
                ? new AuditRecord.Actor(entry.actor(), null, entry.actorName())
                : new AuditRecord.Actor(
                        entry.actor().substring(0, colon), entry.actor().substring(colon + 1), entry.actorName());
    }
}
