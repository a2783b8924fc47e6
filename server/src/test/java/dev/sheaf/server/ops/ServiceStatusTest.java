package dev.sheaf.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.admin.ModeRecord;
import dev.sheaf.model.wire.admin.NodeHealth;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceStatusTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant FAULT = Instant.parse("2026-01-02T00:00:00Z");

    private static ServiceStatus with(Set<String> down, @Nullable ModeRecord mode) {
        var parts = Stream.of("database", "changes", "store", "disk", "clock", "certificate")
                .map(name -> down.contains(name)
                        ? new NodeHealth.Part(
                                name, "down", true, "jdbc:postgresql://db.internal failed", "PostgreSQL 17", FAULT)
                        : new NodeHealth.Part(name, "up", true, null, "PostgreSQL 17", START))
                .toList();
        return ServiceStatus.of(new NodeHealth("up", parts, mode));
    }

    private static List<Boolean> works(ServiceStatus status) {
        return status.services().stream().map(ServiceStatus.Service::works).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "none,        true,  true,  true,  WORKS",
        "database,    false, false, false, DOWN",
        "changes,     false, false, false, DOWN",
        "store,       true,  false, false, LIMITED",
        "disk,        true,  true,  false, LIMITED",
        "clock,       true,  true,  true,  WORKS",
        "certificate, true,  true,  true,  WORKS"
    })
    void eachPartConcernsWhatPeopleDoWithIt(
            String down, boolean pages, boolean pulls, boolean changes, ServiceStatus.Overall overall) {
        var status = with(Set.of(down), null);

        assertThat(works(status)).containsExactly(pages, pulls, changes);
        assertThat(status.overall()).isEqualTo(overall);
    }

    @Test
    void saysSinceWhen() {
        assertThat(with(Set.of(), null).services())
                .extracting(ServiceStatus.Service::since)
                .containsOnly(START);
        assertThat(with(Set.of("store"), null).services())
                .extracting(ServiceStatus.Service::since)
                .containsExactly(START, FAULT, FAULT);
    }

    @Test
    void pausedChangesAreALimitWithoutTheReasonOfTheOperator() {
        var status = with(Set.of(), new ModeRecord(true, "moving to db2.internal", "admin"));

        assertThat(works(status)).containsExactly(true, true, false);
        assertThat(status.overall()).isEqualTo(ServiceStatus.Overall.LIMITED);
        assertThat(status.toString()).contains("paused").doesNotContain("db2");
        assertThat(works(with(Set.of(), new ModeRecord(false, null, null)))).containsExactly(true, true, true);
    }

    @Test
    void tellsStrangersNothingOfTheInside() {
        assertThat(with(Set.of("database", "store", "disk"), null).toString())
                .doesNotContain("jdbc", "internal", "PostgreSQL", "database", "store", "disk");
    }
}
