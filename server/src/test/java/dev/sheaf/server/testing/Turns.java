package dev.sheaf.server.testing;

import java.util.Arrays;
import java.util.function.DoubleSupplier;
import java.util.function.IntToLongFunction;

/// Compares how long two things take.
public final class Turns {
    private static final int ATTEMPTS = 4;

    private Turns() {}

    /// How many times as long the one takes as the other: the median or the lower quartile, whichever is nearer to
    /// 1, since what is slower by itself is so in both. They take turns, and begin by turns, so that other work on
    /// the machine hits both alike.
    ///
    /// @param warmUp rounds that do not count, before those that do
    /// @param one does it once and says in how many nanoseconds; is told the round, from 0 on
    public static double ratio(int warmUp, int rounds, IntToLongFunction one, IntToLongFunction other) {
        long[] ones = new long[rounds];
        long[] others = new long[rounds];
        for (int round = 0; round < warmUp + rounds; round++) {
            boolean begins = round % 2 == 0;
            long first = (begins ? one : other).applyAsLong(round);
            long second = (begins ? other : one).applyAsLong(round);
            if (round >= warmUp) {
                ones[round - warmUp] = begins ? first : second;
                others[round - warmUp] = begins ? second : first;
            }
        }
        Arrays.sort(ones);
        Arrays.sort(others);
        return nearer((double) ones[rounds / 2] / others[rounds / 2], (double) ones[rounds / 4] / others[rounds / 4]);
    }

    /// A difference that is real is there every time; one that the machine makes is not. So whoever differs is
    /// measured again.
    ///
    /// @param near up to which a ratio or its inverse is no difference
    /// @return the ratio that is nearest to 1
    public static double nearest(double near, DoubleSupplier ratio) {
        double nearest = ratio.getAsDouble();
        for (int i = 1; i < ATTEMPTS && distance(nearest) > distance(near); i++) {
            nearest = nearer(nearest, ratio.getAsDouble());
        }
        return nearest;
    }

    private static double nearer(double one, double other) {
        return distance(one) < distance(other) ? one : other;
    }

    private static double distance(double ratio) {
        return Math.abs(Math.log(ratio));
    }
}
