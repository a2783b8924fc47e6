package dev.sheaf.server.v1.key;

import static dev.sheaf.server.http.message.Method.POST;

import dev.sheaf.model.Secret;
import dev.sheaf.server.auth.Tokens;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.org.key.LeakedCredentials;
import java.util.List;

/// Where anybody who finds a credential hands it in (contract 5.1). The answer is the same whatever was found.
public final class LeaksApi {
    private static final int MAX_CREDENTIALS = 100;

    private final LeakedCredentials leaks;

    private record Received(int received) {}

    public LeaksApi(LeakedCredentials leaks) {
        this.leaks = leaks;
    }

    public List<Route> routes() {
        return List.of(new Route(POST, "/v1/leaked-credentials", Need.NONE, this::report));
    }

    private Answer report(Call call) {
        var fields = call.json();
        var texts = fields.texts("credentials");
        if (texts == null && !fields.has("credentials")) {
            fields.error("credentials", "required", "is required");
        } else if (texts != null && texts.size() > MAX_CREDENTIALS) {
            fields.error("credentials", "range", "has " + texts.size() + " entries; at most " + MAX_CREDENTIALS);
        }
        fields.finish();
        List<String> found = texts == null ? List.of() : texts;
        var credentials = found.stream()
                .map(String::strip)
                .filter(text -> text.length() <= Tokens.MAX_LENGTH) // longer ones are none of ours
                .map(Secret::of)
                .toList();
        leaks.report(new LeakedCredentials.Report(credentials, call.from(), call.requestId()));
        return Answer.json(202, new Received(found.size()));
    }
}
