package dev.sheaf.server.console;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.Page;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.InnerRequest;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.routing.InnerApi;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Calls the API on behalf of the viewer of a page. Bound to its request. Every call throws a
/// [ProblemException] if the API refuses it.
public final class Api {
    private static final byte[] NOTHING = {};

    private final InnerApi inner;
    private final Call call;

    Api(InnerApi inner, Call call) {
        this.inner = inner;
        this.call = call;
    }

    public <T> T get(Class<T> type, ApiPath path) {
        return body(type, answer(Method.GET, path, Map.of(), NOTHING));
    }

    /// A value that the API returns, and its validator.
    public record Tagged<T>(T value, String etag) {}

    /// Returns a resource with its validator for a conditional change, see [#patch].
    public <T> Tagged<T> tagged(Class<T> type, ApiPath path) {
        var answer = answer(Method.GET, path, Map.of(), NOTHING);
        T value = body(type, answer);
        String etag = answer.headers().stream()
                .filter(header -> header.name().equals("ETag"))
                .map(Answer.Header::value)
                .findFirst()
                .orElseGet(() -> ConditionalWrite.etag(value));
        return new Tagged<>(value, etag);
    }

    /// Sends a request and ignores its answer, except a refusal.
    public void check(ApiPath path) {
        answer(Method.GET, path, Map.of(), NOTHING);
    }

    /// Returns a resource; empty if it does not exist for the caller.
    public <T> Optional<T> find(Class<T> type, ApiPath path) {
        try {
            return Optional.of(get(type, path));
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Missing) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /// Returns one page of a list.
    public <T> Page<T> list(Class<T> type, ApiPath path) {
        var page = get(Page.class, path);
        List<T> entries = ((List<?>) page.data()).stream().map(type::cast).toList();
        return new Page<>(entries, page.meta());
    }

    public <T> T post(Class<T> type, ApiPath path, Map<String, ? extends @Nullable Object> members) {
        return body(type, send(Method.POST, path, members));
    }

    public <T> T put(Class<T> type, ApiPath path, Map<String, ? extends @Nullable Object> members) {
        return body(type, send(Method.PUT, path, members));
    }

    public <T> T patch(Class<T> type, ApiPath path, Map<String, ? extends @Nullable Object> members) {
        return body(type, send(Method.PATCH, path, members));
    }

    /// Changes the resource only if it still has the validator.
    ///
    /// @param etag the expected validator; empty means no condition
    /// @throws ProblemException precondition-failed if it has another validator now
    public <T> T patch(Class<T> type, ApiPath path, String etag, Map<String, ? extends @Nullable Object> members) {
        var headers = new HashMap<>(Map.of("content-type", "application/json"));
        if (!etag.isEmpty()) {
            headers.put("if-match", etag);
        }
        return body(type, answer(Method.PATCH, path, headers, Json.write(members)));
    }

    /// Sends a request whose answer is ignored.
    public void post(ApiPath path, Map<String, ? extends @Nullable Object> members) {
        send(Method.POST, path, members);
    }

    public void delete(ApiPath path) {
        answer(Method.DELETE, path, Map.of(), NOTHING);
    }

    /// @param members the JSON members; null values are left out, except for PATCH, where null removes a member
    public Answer send(Method method, ApiPath path, Map<String, ? extends @Nullable Object> members) {
        var sent = new HashMap<String, @Nullable Object>(members);
        if (method != Method.PATCH) {
            sent.values().removeIf(value -> value == null);
        }
        return answer(method, path, Map.of("content-type", "application/json"), Json.write(sent));
    }

    /// Sends a call with any headers and body.
    ///
    /// @param headers the headers by their names in lower case
    public Answer answer(Method method, ApiPath path, Map<String, String> headers, byte[] body) {
        var all = new HashMap<>(Map.of("accept", "application/json"));
        call.header("User-Agent").ifPresent(agent -> all.put("user-agent", agent));
        all.putAll(headers);
        return inner.answer(call, new InnerRequest(method, path.path(), path.query(), all, body));
    }

    /// Refuses a caller who may not make such a call with any body. Changes nothing and writes nothing to the
    /// audit log.
    ///
    /// @throws ProblemException as the API refuses the caller
    public void permit(Method method, ApiPath path) {
        inner.permit(call, new InnerRequest(method, path.path(), "", Map.of(), NOTHING));
    }

    /// Returns whether the caller may make such a call, so that a page shows its form only then.
    public boolean may(Method method, ApiPath path) {
        try {
            permit(method, path);
            return true;
        } catch (ProblemException e) {
            return false;
        }
    }

    /// Returns whether the caller administers the installation.
    public boolean isAdministrator() {
        return inner.isAdministrator(call);
    }

    /// Returns the record in an answer.
    public static <T> T body(Class<T> type, Answer answer) {
        if (!(answer.body() instanceof Answer.Body.Json json)) {
            throw new IllegalStateException("the API's answer is not JSON");
        }
        return type.isInstance(json.value()) ? type.cast(json.value()) : Json.read(Json.write(json.value()), type);
    }
}
