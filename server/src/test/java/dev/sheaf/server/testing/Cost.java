package dev.sheaf.server.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.function.IntFunction;

/// What work takes of a processor, and how that grows with what it is given. The time of the thread is counted, so a
/// busy machine changes little; what is short is measured over a larger input, and what looks too much again.
public final class Cost {
    private static final double MOST =
            3; // what grows with its input takes twice as long, what grows too fast four times
    private static final long MEASURABLE = 20_000_000; // ns
    private static final int AGAIN = 5;

    private Cost() {}

    /// Work on an input.
    public interface Work {
        void on(String input);
    }

    /// The input doubles, to `max` characters; where the work comes to 20 ms, it takes less than three
    /// times as long as on half of it.
    public static void growsAtMostWithItsInput(String name, int from, int max, IntFunction<String> input, Work work) {
        String half = input.apply(from);
        long before = of(half, work);
        for (int size = 2 * from; size <= max; size *= 2) {
            String whole = input.apply(size);
            long now = of(whole, work);
            if (isTooMuch(before, now)) {
                for (int i = 0; i < AGAIN || i < 3 * AGAIN && isTooMuch(before, now); i++) { // side by side
                    before = Math.min(before, of(half, work));
                    now = Math.min(now, of(whole, work));
                }
                assertThat(isTooMuch(before, now))
                        .as("%s: %d characters take %d us, half of them %d us", name, size, now / 1_000, before / 1_000)
                        .isFalse();
            }
            half = whole;
            before = now;
        }
    }

    private static boolean isTooMuch(long before, long now) {
        return now >= MEASURABLE && now > MOST * before;
    }

    private static long of(String input, Work work) {
        var threads = ManagementFactory.getThreadMXBean();
        long begun = threads.getCurrentThreadCpuTime();
        work.on(input);
        return Math.max(1, threads.getCurrentThreadCpuTime() - begun);
    }
}
