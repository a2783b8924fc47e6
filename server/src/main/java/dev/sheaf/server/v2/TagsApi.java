package dev.sheaf.server.v2;

import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Caching;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.registry.tag.Tags;
import java.util.List;

/// The tags of a repository (distribution-spec, "Listing Tags").
final class TagsApi {
    private final RepositoryAccess doors;
    private final Tags tags;

    TagsApi(RepositoryAccess doors, Tags tags) {
        this.doors = doors;
        this.tags = tags;
    }

    private record Listing(String name, List<String> tags) {}

    Answer list(Call call) {
        var repository = doors.readable(call);
        var page = PageSize.of(call);
        var found = page.count() == 0 ? List.<String>of() : tags.names(repository, page.last(), page.count() + 1);
        boolean more = found.size() > page.count();
        var shown = found.stream().limit(page.count()).toList();
        var answer = Caching.MOVING.on(
                Answer.ok(new Listing(repository.name().toString(), shown)), call.caller(), repository.visibility());
        return more ? answer.with("Link", page.next(call, "", shown.getLast())) : answer;
    }
}
