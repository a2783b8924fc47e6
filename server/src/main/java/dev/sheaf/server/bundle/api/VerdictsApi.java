package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.wire.bundle.VersionVerdict;
import dev.sheaf.server.bundle.recall.VerdictQuestion;
import dev.sheaf.server.bundle.recall.Verdicts;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;

/// Says of installed versions whether they may still be used.
public final class VerdictsApi {
    private static final int ITEMS_OF_A_READ = 50;

    private final Verdicts verdicts;

    public VerdictsApi(Verdicts verdicts) {
        this.verdicts = verdicts;
    }

    public List<Route> routes() {
        return List.of(new Route(POST, "/v1/verdicts", RoutePermission.PUBLIC_READ, RequestCost.READ, this::verdicts));
    }

    private record Items(List<VersionVerdict> items) {}

    private Answer verdicts(Call call) {
        var questions = call.json().to(VerdictQuestion::parseAll);
        for (int counted = ITEMS_OF_A_READ; counted < questions.size(); counted += ITEMS_OF_A_READ) {
            call.count(RequestCost.READ);
        }
        return Answer.ok(new Items(verdicts.of(call.caller(), questions)))
                .with("Cache-Control", "no-store")
                .with("Vary", "Authorization");
    }
}
