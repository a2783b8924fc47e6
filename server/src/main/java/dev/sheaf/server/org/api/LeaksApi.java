package dev.sheaf.server.org.api;

import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.key.LeakedCredentials;
import java.util.List;

/// Lets anyone report a leaked credential (contract 5.1). The answer is always the same.
public final class LeaksApi {

    private final LeakedCredentials leaks;

    private record Received(int received) {}

    public LeaksApi(LeakedCredentials leaks) {
        this.leaks = leaks;
    }

    public List<Route> routes() {
        return List.of(new Route(POST, "/v1/leaked-credentials", RoutePermission.NONE, this::report));
    }

    private Answer report(Call call) {
        var texts = call.json().to(LeakedCredentials::parse);
        leaks.report(LeakedCredentials.Report.of(texts, call.from(), call.requestId()));
        return Answer.json(202, new Received(texts.size()));
    }
}
