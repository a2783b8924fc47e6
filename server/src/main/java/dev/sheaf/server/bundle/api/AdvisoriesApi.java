package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.wire.bundle.Advisory;
import dev.sheaf.server.bundle.AdvisoryRows;
import dev.sheaf.server.bundle.recall.Advisories;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.hub.AtomFeeds;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What was recalled in a namespace, as a list and as a feed.
public final class AdvisoriesApi {
    private static final String ATOM = "application/atom+xml; charset=utf-8";

    private final Advisories advisories;

    public AdvisoriesApi(Advisories advisories) {
        this.advisories = advisories;
    }

    public List<Route> routes() {
        String namespace = "/v1/namespaces/{namespace}";
        return List.of(
                new Route(GET, namespace + "/advisories", RoutePermission.PUBLIC_READ, this::list),
                new Route(GET, namespace + "/advisories.atom", RoutePermission.PUBLIC_READ, this::feed));
    }

    private Answer list(Call call) {
        var paging = PageRequest.of(call);
        var rows = advisories.list(call.caller(), namespace(call), after(paging.after()), paging.fetch());
        return moving(call, paging.answer(rows, AdvisoriesApi::key, AdvisoriesApi::wire));
    }

    private static Namespace namespace(Call call) {
        return call.parameter("namespace", Namespace::parse);
    }

    private static Answer moving(Call call, Answer answer) {
        return CachePolicy.MOVING.on(answer, call.caller(), Visibility.PUBLIC);
    }

    /// Returns the key of a row in cursors.
    public static String key(AdvisoryRows.Recalled row) {
        return row.recalledAt().toEpochMilli() + " " + row.id();
    }

    /// Returns the place that a cursor names; null for the first page.
    public static AdvisoryRows.@Nullable After after(@Nullable String key) {
        if (key == null) {
            return null;
        }
        int space = key.indexOf(' ');
        try {
            var at = Instant.ofEpochMilli(Long.parseLong(key.substring(0, Math.max(space, 0))));
            return new AdvisoryRows.After(
                    at, UUID.fromString(key.substring(space + 1)).toString());
        } catch (IllegalArgumentException e) {
            throw new Problem.InvalidCursor().raise();
        }
    }

    public static Advisory wire(AdvisoryRows.Recalled row) {
        return new Advisory(
                row.id(),
                row.ref().namespace().value(),
                row.ref().bundle().value(),
                row.version().toString(),
                row.digest().toString(),
                row.recalledAt(),
                row.recallSeverity().toString(),
                row.recallReason(),
                row.recallAdvisory(),
                row.recallReplacement());
    }

    private Answer feed(Call call) {
        var namespace = namespace(call);
        var rows = advisories.list(call.caller(), namespace, null, AtomFeeds.SIZE);
        String here = call.baseUrl() + "/v1/namespaces/" + namespace + "/advisories.atom";
        var head = new AtomFeeds.Head(
                here,
                "Recalls of " + namespace,
                namespace.value(),
                here,
                call.baseUrl() + "/advisories/" + namespace,
                Instant.EPOCH);
        var entries = rows.stream().map(row -> entry(call, row)).toList();
        return moving(call, Answer.document(ATOM, AtomFeeds.atom(head, entries)));
    }

    private static AtomFeeds.Entry entry(Call call, AdvisoryRows.Recalled row) {
        String version = URLEncoder.encode(row.version().toString(), StandardCharsets.UTF_8);
        String instead = row.recallReplacement() == null ? "" : " Use instead: " + row.recallReplacement();
        return new AtomFeeds.Entry(
                "urn:uuid:" + row.id(),
                "Recalled (" + row.recallSeverity() + "): " + row.ref() + " " + row.version(),
                row.recalledAt(),
                row.recalledAt(),
                call.baseUrl() + "/" + row.ref() + "/versions/" + version,
                null,
                row.recallReason() + instead,
                row.recallSeverity().toString());
    }
}
