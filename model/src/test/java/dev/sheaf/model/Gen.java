package dev.sheaf.model;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Random values for property tests. Each case has its own seed; a failure names it, and `-Dsheaf.seed=N` runs
/// only that case.
public final class Gen {
    private final SplittableRandom random;

    private Gen(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /// Checks a property on `cases` random cases.
    public static void forAll(int cases, Consumer<Gen> property) {
        Long only = Long.getLong("sheaf.seed");
        long first = only == null ? new SplittableRandom().nextLong() : only;
        for (long seed = first; seed < first + (only == null ? cases : 1); seed++) {
            try {
                property.accept(new Gen(seed));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("with -Dsheaf.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }

    /// Returns a number from `min` to `max`, both included.
    public int number(int min, int max) {
        return random.nextInt(min, max + 1);
    }

    public boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    public <T> T of(List<T> choices) {
        return choices.get(number(0, choices.size() - 1));
    }

    /// Returns `min` to `max` characters of the alphabet.
    public String text(String alphabet, int min, int max) {
        return IntStream.range(0, number(min, max))
                .mapToObj(i -> String.valueOf(alphabet.charAt(number(0, alphabet.length() - 1))))
                .collect(Collectors.joining());
    }

    /// Returns `min` to `max` UTF-16 units of any kind, including halves of surrogate pairs.
    public String anyText(int min, int max) {
        var text = new StringBuilder();
        for (int i = number(min, max); i > 0; i--) {
            text.append((char) (chance(0.5) ? number(0, 0x2FF) : number(0, 0xFFFF)));
        }
        return text.toString();
    }
}
