package dev.sheaf.server.console.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every page and every form with every kind of visitor. A page that is added is tested by being in the table of
/// routes.
class PageAccessMatrixTest extends OnNode {
    private static final String NO_ID = "00000000-0000-4000-8000-000000000000";
    private static final Set<String> MEMBERS = Set.of("owner", "admin", "publisher", "reader");

    /// Forms of everybody about themselves.
    private static final List<String> OWN = List.of("/leave", "/star", "/unstar");

    /// Pages of an organization for its admins alone.
    private static final List<String> OF_ADMINS = List.of(
            "/keys",
            "/publishers",
            "/policies",
            "/members",
            "/invitations",
            "/webhooks",
            "/transfers",
            "/audit",
            "/trash",
            "/rename");

    private final Map<String, PageClient> visitors = new LinkedHashMap<>();

    @Override
    void prepare() {
        leave();
        visitors.clear();
        app().secondOrganization("others");
        assertThat(app().push("acme/secret", "1.0.0", "private", "# Secret").status())
                .isEqualTo(201);
        visitors.put("nobody who signed in", new PageClient(app().url()));
        signIn("nobody", null, null);
        signIn("other", "others", "owner");
        for (String role : List.of("reader", "publisher", "admin", "owner")) {
            signIn(role, "default", role);
        }
    }

    private void signIn(String name, @Nullable String organization, @Nullable String role) {
        app().person(name + "@acme.test", organization, role);
        visitors.put(name, PageClient.of(app(), name + "@acme.test"));
    }

    @AfterAll
    void leave() {
        visitors.values().forEach(PageClient::close);
    }

    private static String path(Route route) {
        return route.pattern()
                .replace("{org_id}", "default")
                .replace("{namespace}", "acme")
                .replace("{bundle}", "secret")
                .replace("{version}", "1.0.0")
                .replace("{pair}", "1.0.0...1.0.0")
                .replace("{path...}", "SKILL.md")
                .replace("{queue_id}", "work")
                .replaceAll("\\{[a-z]+_id}", NO_ID)
                .replaceAll("\\{[^}]*}", "latest");
    }

    @TestFactory
    Stream<DynamicTest> everyPageWithEveryVisitor() {
        var tests = new ArrayList<DynamicTest>();
        for (var route : app().pages()) {
            if (!route.pattern().startsWith("/-/") && !route.pattern().equals("/logout")) {
                visitors.forEach((name, client) -> tests.add(DynamicTest.dynamicTest(
                        route.method() + " " + route.pattern() + " as " + name, () -> check(route, name, client))));
            }
        }
        return tests.stream();
    }

    private HttpResponse<String> ask(Route route, PageClient client) {
        return route.method() == RouteMethod.GET
                ? client.get(path(route))
                : client.post(
                        path(route),
                        Map.of(
                                "_token",
                                client.token(client.cookie("sheaf_session").isEmpty() ? "/login" : "/account")));
    }

    private void check(Route route, String visitor, PageClient client) {
        var answer = ask(route, client);
        int status = answer.statusCode();
        boolean isPost = route.method() == RouteMethod.POST;
        assertThat(status).as(answer.body()).isLessThan(500);
        if (visitor.startsWith("nobody who")) {
            checkAnonymous(route, answer);
        } else if (route.pattern().startsWith("/admin")
                && !Set.of("owner", "admin").contains(visitor)) {
            assertThat(status).isEqualTo(403);
        } else if (route.pattern().endsWith("/restore") && route.method() == RouteMethod.GET) {
            assertThat(status).as("it looks at nothing").isEqualTo(200);
        } else if (isOwned(route) && !MEMBERS.contains(visitor)) {
            assertThat(status).as(answer.body()).isIn(refusals(route, visitor.equals("nobody") ? 403 : 404));
        } else if (isOwned(route) && visitor.equals("reader") && isPost) {
            if (OWN.stream().noneMatch(route.pattern()::endsWith)) {
                assertThat(status).as(answer.body()).isIn(refusals(route, 403));
            }
        } else if (isForAdmins(route) && Set.of("reader", "publisher").contains(visitor)) {
            assertThat(status).as(answer.body()).isIn(403, 404);
        } else if (visitor.equals("owner")) {
            assertThat(status).as(answer.body()).isNotIn(401, 403);
        }
    }

    /// What is not there is 404. Who is in no organization lacks the scope, whatever the path names. Two forms are
    /// refused for what they hold before anybody is asked for the bundle.
    private static List<Integer> refusals(Route route, int refused) {
        boolean isUpload = route.pattern().endsWith("/settings/files");
        boolean isNamed = route.pattern().endsWith("/tags");
        return isUpload ? List.of(refused, 404, 415) : isNamed ? List.of(refused, 404, 422) : List.of(refused, 404);
    }

    private static void checkAnonymous(Route route, HttpResponse<String> answer) {
        if (route.need() == RoutePermission.PERSON && route.method() == RouteMethod.GET) {
            assertThat(answer.statusCode()).isEqualTo(303);
            assertThat(answer.headers().firstValue("Location").orElse("")).startsWith("/login?next=");
        } else if (route.need() == RoutePermission.PERSON) {
            assertThat(answer.statusCode()).isEqualTo(401);
        } else if (route.pattern().contains("{bundle}")) {
            assertThat(answer.statusCode()).isEqualTo(404);
        }
    }

    private static boolean isOwned(Route route) {
        return route.pattern().contains("{org_id}") || route.pattern().contains("{bundle}");
    }

    private static boolean isForAdmins(Route route) {
        return OF_ADMINS.stream().map(part -> "/organizations/{org_id}" + part).anyMatch(route.pattern()::startsWith);
    }
}
