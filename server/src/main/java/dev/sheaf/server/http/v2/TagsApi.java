package dev.sheaf.server.http.v2;

import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.http.Answer;
import dev.sheaf.server.http.Caching;
import dev.sheaf.server.http.Call;
import dev.sheaf.server.registry.TagRecord;
import dev.sheaf.server.registry.Tags;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The tags of a repository (distribution-spec, "Listing Tags").
final class TagsApi {
    private static final int MAX = 10_000;

    private final Doors doors;
    private final Tags tags;

    TagsApi(Doors doors, Tags tags) {
        this.doors = doors;
        this.tags = tags;
    }

    private record Listing(String name, List<String> tags) {}

    Answer list(Call call) {
        var repository = doors.readable(call);
        int limit = call.query("n").map(TagsApi::limit).orElse(MAX);
        var found = limit == 0
                ? List.<TagRecord>of()
                : tags.list(repository, call.query("last").orElse(null), limit + 1);
        boolean more = found.size() > limit;
        var shown = (more ? found.subList(0, limit) : found)
                .stream().map(TagRecord::name).toList();
        var answer = Caching.MOVING.on(
                Answer.ok(new Listing(repository.name().toString(), shown)), call.caller(), repository.visibility());
        return more ? answer.with("Link", link(repository.name(), limit, shown.getLast())) : answer;
    }

    private static String link(RepositoryName name, int limit, String last) {
        return "</v2/" + name + "/tags/list?n=" + limit + "&last=" + URLEncoder.encode(last, StandardCharsets.UTF_8)
                + ">; rel=\"next\"";
    }

    private static int limit(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw new Problem.BadRequest("n must be a whole number that is not negative").raise();
        }
        return (int) Math.min(MAX, Long.parseLong(text));
    }
}
