package dev.sheaf.server.http;

/// One line of the route table.
///
/// @param pattern segments that are literal or `{parameter}`; the last may end in `:verb`, or be `{parameter...}`
/// for the rest
public record Route(Method method, String pattern, Need need, Handler handler) {
    /// Answers a call, or throws a [dev.sheaf.model.ProblemException].
    public interface Handler {
        Answer handle(Call call);
    }
}
