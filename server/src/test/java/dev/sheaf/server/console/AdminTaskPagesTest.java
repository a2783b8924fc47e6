package dev.sheaf.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.admin.TaskKind;
import dev.sheaf.server.testing.Browser;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The tasks of the installation: what each does, and the question before one that ends access.
class AdminTaskPagesTest extends OnConsole {
    private Browser owner = new Browser();

    @Override
    public void prepare() {
        owner.close();
        owner = person("tasks@acme.test", "default", "owner");
    }

    private int runs(String task) {
        return (int)
                app()
                        .get("/v1/admin/tasks?limit=100", app().admin())
                        .json()
                        .get("data")
                        .findValuesAsString("task")
                        .stream()
                        .filter(task::equals)
                        .count();
    }

    @Test
    void eachTaskTellsItsPurposeAndOffersADryRun() {
        var all = owner.open(at("/admin/tasks"));

        for (var kind : TaskKind.values()) {
            assertThat(all.html()).contains("/admin/tasks/start/" + kind + "\"", kind.purpose());
            var one = owner.open(at("/admin/tasks/start/" + kind));
            assertThat(one.html()).contains(kind.purpose(), "Dry run of " + kind, "Start " + kind);
            if (kind.endsAccess()) {
                assertThat(one.html()).contains("What breaks", "name=\"confirm\"");
            } else {
                assertThat(one.html()).doesNotContain("What breaks", "name=\"confirm\"");
            }
        }
    }

    @Test
    void aTaskThatEndsAccessStartsOnlyAfterItsNameIsTyped() {
        var asked = owner.open(at("/admin/tasks/start/retire-pepper"));
        assertThat(asked.html()).contains("No key ends: all");

        var refused = owner.submit(asked, "/retire-pepper\"", Map.of("confirm", "rotate-pepper"));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.html()).contains("This is not the name of the task");
        assertThat(runs("retire-pepper")).isZero();

        var started = owner.submit(refused, "/retire-pepper\"", Map.of("confirm", "retire-pepper"));
        assertThat(started.html()).contains("retire-pepper has begun.");
        assertThat(runs("retire-pepper")).isEqualTo(1);
    }

    @Test
    void aDryRunNeedsNoName() {
        var shown = owner.submit(owner.open(at("/admin/tasks/start/replace-token-keys")), "/dry-run\"", Map.of());

        assertThat(shown.html()).contains("replace-token-keys has begun.", "dry run");
    }

    @Test
    void runsNameWhoStartedThem() {
        owner.submit(owner.open(at("/admin/tasks/start/fsck")), "/dry-run\"", Map.of());

        assertThat(owner.open(at("/admin/tasks")).html()).containsPattern("title=\"user:[0-9a-f-]{36}\">tasks<");
    }

    /// A member could look like another person on the page where accounts are disabled.
    @Test
    void namesOfPeopleShowTheirHiddenCharacters() {
        app().post("/v1/admin/users", app().admin(), """
                {"email": "hidden@acme.test", "fullName": "\\u202Egnp.exe"}""");

        var shown = owner.open(at("/admin/users"));

        assertThat(shown.html()).contains("U+202E").doesNotContain("\u202E");
    }

    /// The pages that answers name as the type of a problem are for people, too.
    @Test
    void pagesOfProblemsHaveAMainPartAndAWayBack() {
        for (String path : new String[] {"/problems", "/problems/conflict"}) {
            assertThat(owner.open(at(path)).html())
                    .contains("<main id=\"main\">", "href=\"/\"", "content=\"light dark\"");
        }
    }

    @Test
    void anUnknownTaskIsNotFound() {
        assertThat(owner.open(at("/admin/tasks/start/rm")).status()).isEqualTo(404);
    }
}
