package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.BundleUse;
import dev.sheaf.server.bundle.UsePlace;
import dev.sheaf.server.bundle.UseReport;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.identity.ActorNames;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Who uses a bundle, and what of an organization's bundles is not used, or should not be.
public final class UsageApi {
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

    private final Resolve resolve;
    private final BundleUse use;
    private final UseReport report;
    private final ActorNames names;

    public UsageApi(Resolve resolve, BundleUse use, UseReport report, ActorNames names) {
        this.resolve = resolve;
        this.use = use;
        this.report = report;
        this.names = names;
    }

    public List<Route> routes(BundleRoutes of) {
        return List.of(
                new Route(GET, BundleRoutes.BUNDLE + "/usage", RoutePermission.PUBLIC_READ, of.read(this::usage)),
                new Route(GET, "/v1/organizations/{org_id}/usage-report", RoutePermission.ADMIN, this::report));
    }

    private Answer usage(Call call, BundleSnapshot bundle) {
        boolean byCredential = call.query("by", UsageApi::isCredential).orElse(false);
        var wanted = new BundleUse.Wanted(
                call.query("from", UsageApi::date).orElse(null),
                call.query("to", UsageApi::date).orElse(null),
                call.query("version", Version::parse)
                        .map(version -> version(bundle, version))
                        .orElse(null));
        var page = PageRequest.of(call, "by", "from", "to", "version");
        var after = UsePlace.parse(page.after());
        var rows = byCredential
                ? use.byCredential(call.caller(), bundle, wanted, after, page.fetch())
                : use.byClient(call.caller(), bundle, wanted, after, page.fetch());
        var known = byCredential
                ? names.of(
                        bundle.organizationId(),
                        rows.stream()
                                .map(BundleUse.Row::credential)
                                .flatMap(Stream::ofNullable)
                                .toList())
                : Map.<String, String>of();
        var answer = page.answer(rows, row -> row.place().toString(), row -> UsageRecords.row(row, known));
        return CachePolicy.MOVING.on(answer, call.caller(), bundle.visibility());
    }

    private static boolean isCredential(String text) {
        return switch (text) {
            case "client" -> false;
            case "credential" -> true;
            default -> throw Problem.invalid("unknown", "must be client or credential");
        };
    }

    private static LocalDate date(String text) {
        try {
            if (DATE.matcher(text).matches()) {
                return LocalDate.parse(text);
            }
        } catch (DateTimeException e) {
            // reported below
        }
        throw Problem.invalid("format", "must be a day, such as 2026-01-15");
    }

    private UUID version(BundleSnapshot bundle, Version version) {
        var question = Resolve.Question.of(new VersionSelector.ByVersion(version));
        return resolve.known(bundle, question).resolved().version().id();
    }

    private Answer report(Call call) {
        var caller = call.origin().caller();
        var kind = call.query("list", UseReport.Kind::parse).orElse(UseReport.Kind.UNUSED_BUNDLES);
        var page = PageRequest.of(call, "list");
        var rows = report.list(caller, kind, UseReport.Place.parse(page.after()), page.fetch());
        var known = names(names, caller.organizationId(), rows);
        return page.answer(rows, row -> row.place().toString(), row -> UsageRecords.entry(row, known));
    }

    private static Map<String, String> names(ActorNames names, UUID organization, List<UseReport.Item> rows) {
        return names.of(
                organization,
                rows.stream()
                        .flatMap(row -> row.credentials().stream())
                        .map(UseReport.ByCredential::credential)
                        .toList());
    }
}
