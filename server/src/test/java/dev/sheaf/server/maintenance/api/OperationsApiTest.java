package dev.sheaf.server.maintenance.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.admin.NodeHealth;
import dev.sheaf.model.wire.admin.OperationsReport;
import dev.sheaf.server.testing.OnEveryStack;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OperationsApiTest extends OnEveryStack {
    private static final String PATH = "/v1/admin/operations";

    private OperationsReport report() {
        return app().get(PATH, app().admin()).as(OperationsReport.class);
    }

    @Test
    void tellsTheStateOfTheNodeAndTheInstallation() {
        app().post("/v1/organizations/default/queues", app().admin(), "{\"name\": \"Deep\", \"slug\": \"deep\"}");
        app().post("/v1/organizations/default/queues/deep/jobs", app().admin(), """
                {"jobs": [{"jobType": "a"}, {"jobType": "b"}, {"jobType": "c"}]}""");
        app().push("ops/kit", "1.0.0", "private", "# Kit");
        var run = app().post("/v1/admin/tasks", app().admin(), "{\"task\": \"gc\"}")
                .json();
        app().ended(run.get("id").stringValue());
        assertThat(report().contentCheckedSince())
                .as("stored, but not checked since")
                .isNull();
        pass(Duration.ofMinutes(1));
        var scrub = app().post("/v1/admin/tasks", app().admin(), "{\"task\": \"scrub\"}")
                .json();
        assertThat(app().ended(scrub.get("id").stringValue()).text()).contains("succeeded");

        var report = report();

        assertThat(report.nodes()).isPositive();
        assertThat(report.health().parts())
                .extracting(NodeHealth.Part::name)
                .contains("database", "changes", "store", "disk", "clock");
        assertThat(report.health().parts()).allMatch(part -> part.since() != null);
        assertThat(report.disk().total()).isGreaterThan(report.disk().free());
        assertThat(report.jobsWaiting()).isEqualTo(3);
        assertThat(report.queues()).contains(new OperationsReport.QueueDepth("default", "deep", 3));
        assertThat(report.deliveriesWaiting()).isZero();
        assertThat(report.webhooks()).isEmpty();
        assertThat(report.tasks())
                .anyMatch(task -> task.task().equals("gc") && task.succeededAt() != null && task.failedAt() == null);
        assertThat(report.contentCheckedSince()).isNotNull();
        assertThat(report.span()).isEqualTo("day");
        assertThat(report.settings())
                .extracting(OperationsReport.ChangedSetting::name)
                .contains("data-dir")
                .doesNotContain("max-assets");
    }

    @Test
    void diskOfAPartIsSaidInNumbers() {
        var disk = report().health().parts().stream()
                .filter(part -> part.name().equals("disk"))
                .findFirst()
                .orElseThrow();

        assertThat(disk.about()).matches(".+ of .+ are free; with less than .+ it refuses content .+");
    }

    @Test
    void hasTheSpanThatIsAskedFor() {
        assertThat(app().get(PATH + "?span=month", app().admin())
                        .as(OperationsReport.class)
                        .span())
                .isEqualTo("month");
        var wrong = app().get(PATH + "?span=year", app().admin());
        assertThat(wrong.status()).isEqualTo(422);
        assertThat(wrong.problem().detail()).contains("must be one of hour, day, month");
    }

    @Test
    void onlyAdministratorsOfTheInstallationSeeIt() {
        app().get(PATH, app().secondOrganization("opstrangers")).assertRefused("403 not-administrator");
        assertThat(app().get(PATH, app().key("ops-writer", "write")).status()).isEqualTo(403);
        assertThat(app().get(PATH, null).status()).isEqualTo(401);
    }
}
