package dev.sheaf.server.console;

import dev.sheaf.model.Problem;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Negotiation;
import dev.sheaf.server.http.message.ProblemJson;
import java.util.List;

/// What a problem looks like to a person. Programs that take no HTML by its name get JSON.
public final class PageErrors {
    private static final List<String> TELLING = List.of("Retry-After", "Allow", "WWW-Authenticate");

    private final Pages pages;

    public PageErrors(Pages pages) {
        this.pages = pages;
    }

    public Answer render(Problem problem, Call call) {
        var json = ProblemJson.render(problem, call);
        if (!Negotiation.names(call, "text/html")) {
            return json;
        }
        var page = new PageCall(pages, call);
        if (problem instanceof Problem.Unauthenticated && call.method().equals("GET")) {
            return page.seeOther(ApiPath.of("/login").with("next", here(call)).toString());
        }
        int status = json.status();
        var shown = page.view(title(status), "error")
                .with("status", status)
                .with("title", title(status))
                .with("detail", detail(problem, status))
                .with("advice", advice(status))
                .with("requestId", call.requestId())
                .status(status)
                .show();
        return told(shown, problem, call);
    }

    /// The page with the headers that tell of a problem.
    static Answer told(Answer page, Problem problem, Call call) {
        var answer = page;
        for (var header : ProblemJson.render(problem, call).headers()) {
            if (TELLING.contains(header.name())) {
                answer = answer.with(header.name(), header.value());
            }
        }
        return answer;
    }

    private static String here(Call call) {
        return call.rawQuery().isEmpty() ? call.rawPath() : call.rawPath() + "?" + call.rawQuery();
    }

    private static String title(int status) {
        return switch (status) {
            case 400, 415, 422 -> "That cannot be read";
            case 401 -> "Sign in";
            case 403 -> "Not allowed";
            case 404 -> "Not found";
            case 409, 412 -> "That clashes with something";
            case 410 -> "Gone";
            case 413 -> "Too large";
            case 429 -> "Too many requests";
            case 507 -> "No room";
            case 503 -> "Not now";
            default -> status < 500 ? "That did not work" : "The registry failed";
        };
    }

    /// What is missing is not named: it looks the same as what the viewer may not see.
    private static String detail(Problem problem, int status) {
        return status == 404 ? "There is nothing here that you may see." : problem.detail();
    }

    private static String advice(int status) {
        return switch (status) {
            case 401 -> "Sign in and try again.";
            case 403 -> "Somebody with more rights in the organization can do it, or give you the role for it.";
            case 404 ->
                "Check the address. If it is private, sign in with an account of the organization that owns it.";
            case 409, 412 -> "Load the page again: somebody may have changed it meanwhile.";
            case 429 -> "Wait a moment, then try again.";
            case 503 -> "Try again in some seconds.";
            default ->
                status < 500
                        ? "Go back, mend it, and try again."
                        : "Try again. If it stays, give the request's id to whoever runs this registry.";
        };
    }
}
