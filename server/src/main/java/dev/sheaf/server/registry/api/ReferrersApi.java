package dev.sheaf.server.registry.api;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.referrer.Referrer;
import dev.sheaf.server.registry.referrer.Referrers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lists the manifests that refer to another one (distribution-spec, "Listing Referrers"). Never 404 for a
/// caller with a credential: nothing refers to what does not exist.
public final class ReferrersApi {
    private final RepositoryAccess access;
    private final Referrers referrers;

    public ReferrersApi(RepositoryAccess access, Referrers referrers) {
        this.access = access;
        this.referrers = referrers;
    }

    private record Index(int schemaVersion, String mediaType, List<Entry> manifests) {}

    private record Entry(
            String mediaType,
            String digest,
            long size,
            @Nullable String artifactType,
            @JsonRawValue @Nullable String annotations) {
        static Entry of(Referrer referrer) {
            return new Entry(
                    referrer.mediaType(),
                    referrer.digest().toString(),
                    referrer.size(),
                    referrer.artifactType(),
                    referrer.annotations());
        }
    }

    public List<Route> routes() {
        return List.of(DistributionApi.route(
                RouteMethod.GET,
                DistributionApi.REPOSITORY + "/referrers/{digest}",
                RoutePermission.PUBLIC_READ,
                this::list));
    }

    private Answer list(Call call) {
        var repository = access.readableOrNone(call);
        var subject = BlobsApi.digest(call.parameter("digest"));
        var type = call.query("artifactType").orElse("");
        if (type.indexOf('\0') >= 0) { // PostgreSQL cannot compare with it
            throw new Problem.BadRequest("artifactType must not contain NUL").raise();
        }
        var size = PageSize.of(call);
        var page = repository
                .map(found -> referrers.list(new Referrers.Query(found, subject, type), size.last(), size.count()))
                .orElse(new Referrers.Page(List.of(), false));
        var index = new Index(
                2,
                MediaType.IMAGE_INDEX,
                page.referrers().stream().map(Entry::of).toList());
        var answer = CachePolicy.MOVING.on(
                Answer.json(200, index, MediaType.IMAGE_INDEX),
                call.caller(),
                repository.map(Repository::visibility).orElse(Visibility.PRIVATE));
        return linked(
                call, size, page, type, type.isEmpty() ? answer : answer.with("OCI-Filters-Applied", "artifactType"));
    }

    private static Answer linked(Call call, PageSize size, Referrers.Page page, String type, Answer answer) {
        if (!page.more()) {
            return answer;
        }
        String filter = type.isEmpty() ? "" : "artifactType=" + PageSize.encode(type) + "&";
        String last = page.referrers().getLast().digest().toString();
        return answer.with("Link", size.next(call, filter, last));
    }
}
