package dev.sheaf.server.registry.api.checks;

import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Gets tokens as challenges say (distribution's token authentication), and keeps the last one.
final class V2TokenClient {
    private static final Pattern SCOPE = Pattern.compile("scope=\"([^\"]*)\"");
    private static final int PATIENCE = 3;

    private final V2Scenario scenario;
    private @Nullable String kept;
    private int refusals;

    V2TokenClient(V2Scenario scenario) {
        this.scenario = scenario;
    }

    void forget() {
        kept = null;
    }

    /// How often the last exchange was refused with a challenge.
    int lastRefusals() {
        return refusals;
    }

    Reply exchange(String method, String path, byte @Nullable [] body, String... headers) {
        refusals = 0;
        var reply = scenario.callAs(kept, method, path, body, headers);
        while (reply.status() == 401 && refusals < PATIENCE) {
            refusals++;
            var scope = SCOPE.matcher(reply.header("WWW-Authenticate"));
            kept = token(scope.find() ? scope.group(1) : "");
            reply = scenario.callAs(kept, method, path, body, headers);
        }
        return reply;
    }

    /// @param scope as the challenge has it
    String token(String scope) {
        var query = new StringBuilder("/v2/token?service=" + scenario.app().host());
        for (String one : scope.split(" ")) {
            query.append("&scope=").append(URLEncoder.encode(one, StandardCharsets.UTF_8));
        }
        return scenario.callAs(scenario.app().admin(), "GET", query.toString(), null)
                .json()
                .get("token")
                .stringValue();
    }
}
