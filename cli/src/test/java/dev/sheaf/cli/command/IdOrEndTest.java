package dev.sheaf.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.ProblemException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class IdOrEndTest {
    private record Thing(UUID id, String name) {}

    private static final Thing NIGHTLY = new Thing(UUID.fromString("01900000-0000-7000-8000-00000abcdef1"), "nightly");
    private static final Thing HOURLY = new Thing(UUID.fromString("01900000-0000-7000-8000-00001abcdef2"), "hourly");
    private static final Thing ABCDEF = new Thing(UUID.fromString("01900000-0000-7000-8000-000000000003"), "bcdef1");
    private static final Thing OTHER = new Thing(UUID.fromString("01900000-0000-7000-8000-000000000004"), "hourly");

    private static UUID named(String typed, Thing... all) {
        return IdOrEnd.named(typed, "schedule", () -> List.of(all), Thing::id, Thing::name);
    }

    @Test
    void aThingIsFoundByItsNameItsIdAndTheEndsThatListsShow() {
        for (String typed : List.of("nightly", NIGHTLY.id().toString(), "…00000abcdef1", "bcdef1")) {
            assertThat(named(typed, NIGHTLY, HOURLY)).as(typed).isEqualTo(NIGHTLY.id());
        }
        assertThat(named("bcdef1", NIGHTLY, ABCDEF)).as("a name counts first").isEqualTo(ABCDEF.id());
    }

    @Test
    void nothingAndSeveralAreErrors() {
        assertThatExceptionOfType(SheafException.NotFound.class)
                .isThrownBy(() -> named("weekly", NIGHTLY))
                .withMessageContaining("there is no schedule with the name or id \"weekly\"");
        assertThatExceptionOfType(SheafException.Conflict.class)
                .isThrownBy(() -> named("hourly", HOURLY, OTHER))
                .withMessageContaining(OTHER.id().toString());
    }

    @Test
    void anEndHasSixCharactersOrMore() {
        assertThat(IdOrEnd.parse("…ABCDEF").text()).isEqualTo("abcdef");
        assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> IdOrEnd.parse("bcdef"));
    }
}
