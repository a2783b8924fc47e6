package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.DELETE;
import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;
import static dev.sheaf.server.http.message.RouteMethod.PUT;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Tag;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.tag.TagChanges;
import dev.sheaf.server.bundle.tag.TagRollback;
import dev.sheaf.server.bundle.tag.TagTarget;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Tags and their history (contract 3.6).
public final class TagsApi {
    private final TagChanges tagging;

    public TagsApi(TagChanges tagging) {
        this.tagging = tagging;
    }

    public List<Route> routes(BundleRoutes of) {
        String all = BundleRoutes.BUNDLE + "/tags";
        String one = all + "/{tag}";
        return List.of(
                new Route(GET, all, RoutePermission.PUBLIC_READ, of.read(this::list)),
                new Route(GET, one, RoutePermission.PUBLIC_READ, of.read(this::get)),
                new Route(PUT, one, RoutePermission.WRITE, of.write(this::put)),
                new Route(DELETE, one, RoutePermission.WRITE, of.write(this::delete)),
                new Route(GET, one + "/history", RoutePermission.PUBLIC_READ, of.read(this::history)),
                new Route(POST, one + ":rollback", RoutePermission.WRITE, of.write(this::rollback)));
    }

    private Answer list(Call call, BundleSnapshot bundle) {
        var paging = PageRequest.of(call);
        var rows = tagging.list(bundle, paging.after(), paging.fetch());
        return CachePolicy.MOVING.on(
                paging.answer(rows, row -> row.tag().name(), row -> BundleRecords.tag(row, bundle, call)),
                call.caller(),
                bundle.visibility());
    }

    private Answer get(Call call, BundleSnapshot bundle) {
        var found = tagging.get(bundle, tag(call));
        return CachePolicy.MOVING.on(
                Answer.ok(BundleRecords.tag(found, bundle, call)), call.caller(), bundle.visibility());
    }

    private static Tag tag(Call call) {
        return call.parameter("tag", Tag::parse);
    }

    private Answer put(Call call, BundleSnapshot bundle) {
        var tag = tag(call);
        var target = call.json().to(TagTarget::parse);
        var put = tagging.put(call.origin(), bundle.name(), tag, target, current -> check(call, bundle, current));
        var wire = BundleRecords.tag(put.named(), bundle, call);
        return put.created() ? Answer.created(call.rawPath(), wire) : Answer.ok(wire);
    }

    private static void check(Call call, BundleSnapshot bundle, TagChanges.@Nullable Named current) {
        ConditionalWrite.check(call, current == null ? null : BundleRecords.tag(current, bundle, call));
    }

    private Answer delete(Call call, BundleSnapshot bundle) {
        tagging.delete(call.origin(), bundle.name(), tag(call), current -> check(call, bundle, current));
        return Answer.empty(204);
    }

    private Answer history(Call call, BundleSnapshot bundle) {
        var paging = PageRequest.of(call);
        var rows = tagging.history(bundle, tag(call), before(paging), paging.fetch());
        var answer = paging.answer(
                rows, row -> Long.toString(row.move().seq()), moved -> BundleRecords.move(moved, bundle, call));
        return CachePolicy.MOVING.on(answer, call.caller(), bundle.visibility());
    }

    /// Returns the number before which the page of a history begins.
    public static long before(PageRequest paging) {
        String after = paging.after();
        if (after == null) {
            return Long.MAX_VALUE;
        }
        if (!after.matches("[0-9]{1,18}")) {
            throw new Problem.InvalidCursor().raise();
        }
        return Long.parseLong(after);
    }

    private Answer rollback(Call call, BundleSnapshot bundle) {
        var tag = tag(call);
        var rollback = call.jsonOrNothing().to(TagRollback::parse);
        return Answer.ok(
                BundleRecords.tag(tagging.rollback(call.origin(), bundle.name(), tag, rollback), bundle, call));
    }
}
