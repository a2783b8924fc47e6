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

/// The API for whoever a page is shown to. Bound to its request. Every call throws a [ProblemException] where the API
/// refuses it.
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

    /// What the API shows, and its validator.
    public record Tagged<T>(T value, String etag) {}

    /// The same with the validator that a change of it can be bound to, see [#patch].
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

    /// Asks, and looks at no answer but a refusal.
    public void check(ApiPath path) {
        answer(Method.GET, path, Map.of(), NOTHING);
    }

    /// The same, or empty where there is no such thing for the caller.
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

    /// One page of a list.
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

    /// A change of what has that validator, and of nothing else.
    ///
    /// @param etag empty: whatever it is
    /// @throws ProblemException precondition-failed where it is another by now
    public <T> T patch(Class<T> type, ApiPath path, String etag, Map<String, ? extends @Nullable Object> members) {
        var headers = new HashMap<>(Map.of("content-type", "application/json"));
        if (!etag.isEmpty()) {
            headers.put("if-match", etag);
        }
        return body(type, answer(Method.PATCH, path, headers, Json.write(members)));
    }

    /// A call whose answer is not looked at.
    public void post(ApiPath path, Map<String, ? extends @Nullable Object> members) {
        send(Method.POST, path, members);
    }

    public void delete(ApiPath path) {
        answer(Method.DELETE, path, Map.of(), NOTHING);
    }

    /// @param members those whose value is null are left out, but for PATCH, where null removes
    public Answer send(Method method, ApiPath path, Map<String, ? extends @Nullable Object> members) {
        var sent = new HashMap<String, @Nullable Object>(members);
        if (method != Method.PATCH) {
            sent.values().removeIf(value -> value == null);
        }
        return answer(method, path, Map.of("content-type", "application/json"), Json.write(sent));
    }

    /// A call with any headers and body.
    ///
    /// @param headers by their names in lower case
    public Answer answer(Method method, ApiPath path, Map<String, String> headers, byte[] body) {
        var all = new HashMap<>(Map.of("accept", "application/json"));
        call.header("User-Agent").ifPresent(agent -> all.put("user-agent", agent));
        all.putAll(headers);
        return inner.answer(call, new InnerRequest(method, path.path(), path.query(), all, body));
    }

    /// Refuses the caller who may not make such a call, whatever would be sent with it. Nothing is changed, and the
    /// audit log hears nothing of it.
    ///
    /// @throws ProblemException as the API refuses the caller
    public void permit(Method method, ApiPath path) {
        inner.permit(call, new InnerRequest(method, path.path(), "", Map.of(), NOTHING));
    }

    /// Whether the caller may make such a call, for a page that shows its form only then.
    public boolean may(Method method, ApiPath path) {
        try {
            permit(method, path);
            return true;
        } catch (ProblemException e) {
            return false;
        }
    }

    /// Whether the caller administers the installation.
    public boolean isAdministrator() {
        return may(Method.GET, ApiPath.of("/v1/admin/tasks"));
    }

    /// The record that an answer holds.
    public static <T> T body(Class<T> type, Answer answer) {
        if (!(answer.body() instanceof Answer.Body.Json json)) {
            throw new IllegalStateException("the API answered no JSON");
        }
        return type.isInstance(json.value()) ? type.cast(json.value()) : Json.read(Json.write(json.value()), type);
    }
}
