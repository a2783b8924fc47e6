package dev.sheaf.server.console;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Role;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.bundle.DeletedBundle;
import dev.sheaf.server.bundle.version.DeletedBundles;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ContentNegotiation;
import dev.sheaf.server.http.message.ProblemJson;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Shows a problem on a page. Programs that do not explicitly accept HTML get JSON.
public final class PageErrors {
    private static final List<String> TELLING = List.of("Retry-After", "Allow", "WWW-Authenticate");

    private static final String FOR_ADMINISTRATORS = "Only people who administer this installation may do this:"
            + " admins and owners of the organization that was made first.";

    private final PageRoutes pages;
    private final DeletedBundles trash;

    /// @param trash tells administrators of an organization which of its bundles they can restore
    public PageErrors(PageRoutes pages, DeletedBundles trash) {
        this.pages = pages;
        this.trash = trash;
    }

    public Answer render(Problem problem, Call call) {
        var json = ProblemJson.render(problem, call);
        if (!ContentNegotiation.names(call, "text/html")) {
            return json;
        }
        var page = new PageCall(pages, call);
        if (problem instanceof Problem.Unauthenticated && call.method().equals("GET")) {
            return page.seeOther(ApiPath.of("/login").with("next", here(call)).toString());
        }
        int status = json.status();
        boolean isExplained = problem instanceof Problem.Forbidden || status == 403 && isOfInstallation(call);
        var shown = page.view(title(status), "console/error")
                .with("status", status)
                .with("title", title(status))
                .with("detail", detail(problem, status, page.viewer(), call))
                .with("advice", isExplained ? "" : advice(status))
                .with("deleted", status == 404 ? deleted(page).stream().toList() : List.of())
                .with("requestId", call.requestId())
                .status(status)
                .show();
        return withHeaders(shown, problem, call);
    }

    /// Returns the page with the headers of the problem.
    static Answer withHeaders(Answer page, Problem problem, Call call) {
        var answer = page;
        for (var header : ProblemJson.render(problem, call).headers()) {
            if (TELLING.contains(header.name())) {
                answer = answer.with(header.name(), header.value());
            }
        }
        return answer;
    }

    /// Returns the deleted bundle that a page is about, for those who may restore it. Other viewers cannot
    /// tell a deleted bundle from one that never existed.
    private Optional<DeletedBundle> deleted(PageCall page) {
        var parameters = page.call().parameters();
        boolean isOfBundle = parameters.containsKey("namespace") && parameters.containsKey("bundle");
        if (!isOfBundle || !page.viewer().isSignedIn() || !page.may(RoutePermission.ADMIN)) {
            return Optional.empty();
        }
        try {
            return trash.find(page.caller(), page.call().repository());
        } catch (ProblemException e) {
            return Optional.empty(); // a name that no bundle can have
        }
    }

    private static String here(Call call) {
        return call.rawQuery().isEmpty() ? call.rawPath() : call.rawPath() + "?" + call.rawQuery();
    }

    private static String title(int status) {
        return switch (status) {
            case 400, 415, 422 -> "Invalid request";
            case 401 -> "Sign in";
            case 403 -> "Not allowed";
            case 404 -> "Not found";
            case 409, 412 -> "Conflict";
            case 410 -> "Gone";
            case 413 -> "Too large";
            case 429 -> "Too many requests";
            case 507 -> "No room";
            case 503 -> "Not now";
            default -> status < 500 ? "That did not work" : "The registry failed";
        };
    }

    /// Returns the text about a problem. It does not name a missing object: missing and hidden objects look the
    /// same.
    private static String detail(Problem problem, int status, PageViewer viewer, Call call) {
        if (status == 404) {
            return "Nothing here is visible to you.";
        }
        return switch (problem) {
            case Problem.ScopeMissing ignored when isOfInstallation(call) -> FOR_ADMINISTRATORS;
            case Problem.ScopeMissing missing -> missing(missing.needed(), viewer, call);
            case Problem.NotAdministrator ignored -> FOR_ADMINISTRATORS;
            default -> problem.detail();
        };
    }

    private static boolean isOfInstallation(Call call) {
        return call.rawPath().equals("/admin") || call.rawPath().startsWith("/admin/");
    }

    /// People have roles, not scopes.
    private static String missing(Scope needed, PageViewer viewer, Call call) {
        String wanted = "this needs the role " + role(needed);
        return belonging(viewer, call)
                .map(own -> "You are " + own.role() + " of " + PageFormat.visible(own.name()) + "; " + wanted + ".")
                .orElse("Your role in the organization does not allow this; " + wanted + ".");
    }

    /// Returns the organization that a page is about; empty if that is not certain.
    private static Optional<User.Belonging> belonging(PageViewer viewer, Call call) {
        var parameters = call.parameters();
        if (parameters.containsKey("org_id")) {
            return viewer.in(call.parameter("org_id"));
        }
        var own = viewer.organizations();
        return own.size() == 1 ? Optional.of(own.getFirst()) : Optional.empty();
    }

    private static String role(Scope scope) {
        return Arrays.stream(Role.values())
                .filter(role -> role.scope().includes(scope))
                .findFirst()
                .orElseThrow()
                .toString();
    }

    private static String advice(int status) {
        return switch (status) {
            case 401 -> "Sign in and try again.";
            case 403 -> "Ask a person with more rights in the organization to do it, or to give you the role for it.";
            case 404 ->
                "Check the address. If it is private, sign in with an account of the organization that owns it.";
            case 409, 412 -> "Load the page again: somebody may have changed it in the meantime.";
            case 429 -> "Wait a moment, then try again.";
            case 503 -> "Try again in a few seconds.";
            default ->
                status < 500
                        ? "Go back, correct it, and try again."
                        : "Try again. If the problem remains, give the request id to the operator of this registry.";
        };
    }
}
