package dev.sheaf.engine.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.net.RateHolder;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Throttle;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingLimitTest {
    private final WaitingLimit seats = new WaitingLimit(100);

    @Test
    void oneAloneLeavesAFifthToOthers() {
        assertThat(takeAll("greedy")).hasSize(80);

        assertThatThrownBy(() -> seats.take(holder("greedy")))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem())
                                .isInstanceOf(Problem.RateLimited.class)
                                .returns(Throttle.CONNECTIONS, Problem::throttle));
        assertThat(takeAll("another")).hasSize(16);
        assertThat(takeAll("a third")).isNotEmpty();
    }

    @Test
    void whoHasNoneIsToldThatThereIsNoRoom() {
        for (int i = 0; i < 100; i++) {
            takeAll("holder " + i);
        }

        assertThat(seats.taken()).isEqualTo(100);
        assertThatThrownBy(() -> seats.take(holder("new")))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem())
                                .isInstanceOf(Problem.Unavailable.class)
                                .returns(Throttle.CONNECTIONS, Problem::throttle));
    }

    @Test
    void whatIsGivenBackCanBeTakenAgain() {
        var taken = takeAll("one");
        taken.getFirst().close();
        taken.getFirst().close(); // of no effect

        assertThat(seats.taken()).isEqualTo(79);
        assertThat(takeAll("one")).hasSize(1);
        taken.forEach(WaitingLimit.Seat::close);
        assertThat(seats.taken()).isEqualTo(1);
    }

    private static RateHolder holder(String name) {
        return new RateHolder.Network(name.hashCode());
    }

    private List<WaitingLimit.Seat> takeAll(String holder) {
        var taken = new ArrayList<WaitingLimit.Seat>();
        try {
            while (true) {
                taken.add(seats.take(holder(holder)));
            }
        } catch (ProblemException e) {
            return taken;
        }
    }
}
