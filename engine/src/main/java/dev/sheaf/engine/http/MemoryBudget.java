package dev.sheaf.engine.http;

import dev.sheaf.engine.net.RateHolder;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Throttle;
import java.util.HashMap;
import java.util.Map;

/// Limits the bytes that all requests together hold in memory, so that the process does not run out of memory.
/// A request over a limit is refused; the client can try again later. A request that can never fit gets
/// payload-too-large. Thread-safe.
///
/// An organization gets at most three quarters of the budget. Request bodies without a credential get a quarter
/// together, and an eighth per address. The work for requests without a credential gets half together, and an
/// eighth per address, except that the first request of an address may use the whole half.
public final class MemoryBudget {
    private static final int STRANGERS = 4;
    private static final int STRANGER = 8;
    private static final int WORK = 2; // for callers without a credential

    private final long total;
    private final Map<RateHolder, Long> held = new HashMap<>();
    private long used;
    private long sent; // by callers without a credential
    private long asked;

    public MemoryBudget(long bytes) {
        this.total = bytes;
    }

    /// The holder of memory.
    ///
    /// @param known whether the holder has a credential
    public record Account(RateHolder holder, boolean known) {}

    /// The memory for the work of a request.
    ///
    /// @param what the name of the bytes in a refusal
    /// @param bytes the size of one copy
    /// @param copies how many copies are in memory at the same time
    public record Work(String what, long bytes, int copies) {
        long total() {
            return bytes > Long.MAX_VALUE / copies ? Long.MAX_VALUE : bytes * copies;
        }
    }

    /// Takes memory for bytes of the caller's request.
    ///
    /// @param mine bytes that the same request holds already
    /// @throws dev.sheaf.model.ProblemException rate-limited if the bytes are not free now; payload-too-large
    /// if they can never be free
    synchronized void take(Account account, long bytes, long mine) {
        long share = account.known() ? ofKnown() : total / STRANGER;
        if (bytes > share - mine) {
            throw tooLarge("the memory that this request needs", share);
        }
        boolean crowded = !account.known() && sent + bytes > total / STRANGERS;
        take(account, bytes, share, crowded);
        sent += account.known() ? 0 : bytes;
    }

    /// Takes memory for processing the caller's request.
    ///
    /// @param mine bytes that the same request holds already
    /// @throws dev.sheaf.model.ProblemException those of [#take]
    synchronized void takeForWork(Account account, Work work, long mine) {
        long bytes = work.total();
        long most = account.known() ? ofKnown() : total / WORK;
        if (bytes > most - mine) {
            throw tooLarge(work.what(), Math.max(0, most - mine) / work.copies());
        }
        boolean first = held.getOrDefault(account.holder(), 0L) <= mine;
        boolean crowded = !account.known() && asked + bytes > total / WORK;
        take(account, bytes, account.known() || first ? most : total / STRANGER, crowded);
        asked += account.known() ? 0 : bytes;
    }

    /// Returns the bytes of the largest body of a caller with a credential of which so many copies fit at the same
    /// time.
    public long largest(int copies) {
        return ofKnown() / copies;
    }

    private static RuntimeException tooLarge(String what, long most) {
        return new Problem.PayloadTooLarge(Throttle.MEMORY, what, most, "bytes").raise();
    }

    private long ofKnown() {
        return total - total / 4;
    }

    private void take(Account account, long bytes, long share, boolean crowded) {
        long all = held.getOrDefault(account.holder(), 0L) + bytes;
        if (used + bytes > total || all > share || crowded) {
            throw new Problem.RateLimited(
                            Throttle.MEMORY,
                            "memory",
                            "the current requests need too much of this node's memory (memory-budget-bytes); try"
                                    + " again in 1 s",
                            1)
                    .raise();
        }
        used += bytes;
        held.put(account.holder(), all);
    }

    /// @param arrived bytes taken by [#take]
    /// @param worked bytes taken by [#takeForWork]
    synchronized void giveBack(Account account, long arrived, long worked) {
        used -= arrived + worked;
        if (!account.known()) {
            sent -= arrived;
            asked -= worked;
        }
        held.computeIfPresent(
                account.holder(), (holder, all) -> all <= arrived + worked ? null : all - arrived - worked);
    }

    /// Returns the bytes in use.
    public synchronized long used() {
        return used;
    }
}
