package dev.sheaf.server.http;

import dev.sheaf.model.Problem;
import java.util.ArrayList;
import java.util.List;

/// Reads the query of a request target, where a plus is a plus, since versions hold it.
final class QueryString {
    private QueryString() {}

    /// All values of a parameter, in order.
    ///
    /// @param raw still encoded
    /// @throws dev.sheaf.model.ProblemException bad-request where a value is not percent-encoded UTF-8
    static List<String> values(String raw, String name) {
        if (raw.isEmpty()) {
            return List.of();
        }
        var values = new ArrayList<String>(2);
        for (String pair : raw.split("&")) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? pair : pair.substring(0, equals);
            if (name.equals(Router.decode(key))) {
                String value = Router.decode(equals < 0 ? "" : pair.substring(equals + 1));
                if (value == null) {
                    throw new Problem.BadRequest("the query parameter " + name + " is not percent-encoded UTF-8")
                            .raise();
                }
                values.add(value);
            }
        }
        return values;
    }
}
