package dev.sheaf.server.http.server;

import dev.sheaf.model.Problem;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.rate.Holder;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/// Limits the bytes that requests hold in memory together: beyond it a request is told to try again, so that the
/// process does not run out of memory. Nobody gets all of it. An organization gets at most three quarters. For
/// what is sent, an address without a credential gets an eighth, and all such addresses together a quarter. For
/// the work done for them, all such addresses together get half, so that they take nothing from callers with a
/// key; one address gets an eighth, except that its first request may use the whole half. A request that would not
/// fit alone is refused for good. Thread-safe.
public final class MemoryBudget {
    private static final int STRANGERS = 4;
    private static final int STRANGER = 8;
    private static final int WORK = 2; // for callers without a credential

    private final long total;
    private final Map<Holder, Long> held = new HashMap<>();
    private long used;
    private long sent; // by callers without a credential
    private long asked;

    public MemoryBudget(long bytes) {
        this.total = bytes;
    }

    /// The holder of memory.
    ///
    /// @param known whether it has a credential
    public record Account(Holder holder, boolean known) {
        public static Account of(Caller caller, InetAddress address) {
            return caller instanceof Caller.Known known
                    ? new Account(new Holder.Credential(known.organizationId()), true)
                    : new Account(Holder.of(address), false);
        }
    }

    /// The memory for the work of a request.
    ///
    /// @param what its name in a refusal
    /// @param bytes of one copy
    /// @param copies that are in memory at the same time
    public record Work(String what, long bytes, int copies) {
        long total() {
            return bytes > Long.MAX_VALUE / copies ? Long.MAX_VALUE : bytes * copies;
        }
    }

    /// Takes memory for what the caller sends, as it comes.
    ///
    /// @param mine bytes that the same request holds already
    /// @throws dev.sheaf.model.ProblemException rate-limited if the bytes are not free now; payload-too-large if
    /// they never will be
    synchronized void take(Account account, long bytes, long mine) {
        long share = account.known() ? ofKnown() : total / STRANGER;
        if (bytes > share - mine) {
            throw new Problem.PayloadTooLarge("what this request takes of the node's memory", share).raise();
        }
        boolean crowded = !account.known() && sent + bytes > total / STRANGERS;
        take(account, bytes, share, crowded);
        sent += account.known() ? 0 : bytes;
    }

    /// Takes memory for the work for the caller.
    ///
    /// @param mine bytes that the same request holds already
    /// @throws dev.sheaf.model.ProblemException as [#take]
    synchronized void takeForWork(Account account, Work work, long mine) {
        long bytes = work.total();
        long most = account.known() ? ofKnown() : total / WORK;
        if (bytes > most - mine) {
            throw new Problem.PayloadTooLarge(work.what(), Math.max(0, most - mine) / work.copies()).raise();
        }
        boolean first = held.getOrDefault(account.holder(), 0L) <= mine;
        boolean crowded = !account.known() && asked + bytes > total / WORK;
        take(account, bytes, account.known() || first ? most : total / STRANGER, crowded);
        asked += account.known() ? 0 : bytes;
    }

    private long ofKnown() {
        return total - total / 4;
    }

    private void take(Account account, long bytes, long share, boolean crowded) {
        long all = held.getOrDefault(account.holder(), 0L) + bytes;
        if (used + bytes > total || all > share || crowded) {
            throw new Problem.RateLimited(
                            "memory", "there is too much content at once for this node's memory; try again in 1 s", 1)
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
