package dev.sheaf.server.maintenance.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.server.audit.AuditFilter;
import dev.sheaf.server.audit.AuditLog;
import dev.sheaf.server.audit.AuditRow;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ContentNegotiation;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
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
    private static final String[] FILTERS = {
        "actor", "action", "subject", "outcome", "requestId", "since", "until", "seq"
    };

    private final AuditLog log;

    public AuditApi(AuditLog log) {
        this.log = log;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, "/v1/organizations/{org_id}/audit-log", RoutePermission.ADMIN, this::ofOrganization),
                new Route(GET, "/v1/users/me/audit-log", RoutePermission.PERSON, this::own),
                new Route(GET, "/v1/admin/audit-log", RoutePermission.ADMIN, call -> answer(call, null)));
    }

    private Answer ofOrganization(Call call) {
        AuditFilter.mayRead(call.origin().caller());
        return answer(call, call.organization());
    }

    /// Returns a person's own actions in all organizations. The person may see these actions as long as the
    /// account exists.
    private Answer own(Call call) {
        var caller = call.origin().caller();
        AuditFilter.mayRead(caller);
        return page(call, filter(call, null, caller.actor()));
    }

    private Answer answer(Call call, @Nullable UUID organization) {
        var filter = filter(
                call, organization, call.query("actor", AuditFilter::text).orElse(null));
        String type = ContentNegotiation.choose(call, List.of(JSON, LINES));
        if (type.equals(LINES)) {
            return lines(log, filter);
        }
        return page(call, filter);
    }

    private Answer page(Call call, AuditFilter filter) {
        var paging = PageRequest.of(call, FILTERS);
        var rows = log.page(filter, paging.after(), paging.fetch());
        return paging.answer(rows, row -> row.id().toString(), AuditRow::shown)
                .with("Cache-Control", "private, no-store");
    }

    /// Returns all entries as JSON lines.
    public static Answer lines(AuditLog log, AuditFilter filter) {
        return Answer.stream(LINES, out -> export(log, filter, out)).with("Cache-Control", "private, no-store");
    }

    private static void export(AuditLog log, AuditFilter filter, OutputStream out) {
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
        byte[] json = Json.write(row.shown());
        byte[] line = Arrays.copyOf(json, json.length + 1);
        line[json.length] = '\n';
        return line;
    }

    private static AuditFilter filter(Call call, @Nullable UUID organization, @Nullable String actor) {
        return AuditFilter.read(call::query, organization, actor);
    }
}
