package dev.sheaf.engine.cpu;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The account to which work is charged if several callers share one turn. All credentials of an organization
/// share one turn; otherwise an organization with ten credentials would have ten turns.
///
/// @param group the group that takes turns, such as an organization
/// @param caller the caller within the group, who has a queue of its own
public record CpuAccount(Object group, Object caller) {
    /// The group of callers without a credential who share an address. It takes turns like an organization, but all of
    /// these groups together have one share of the connections to the database.
    ///
    /// @param address stands for the address
    public record Stranger(Object address) {}

    /// The same callers while their credential is checked. All of these groups together have a share of their own.
    ///
    /// @param address stands for the address
    public record Newcomer(Object address) {}

    static final ScopedValue<Supplier<?>> CALLER = ScopedValue.newInstance();

    private static final ScopedValue<Boolean> IDENTIFYING = ScopedValue.newInstance();

    /// Runs the check of a credential. Until it ends, its sender may be anybody, so it does not wait for the database
    /// behind strangers.
    public static <T> T identifying(Supplier<T> check) {
        return ScopedValue.where(IDENTIFYING, true).call(check::get);
    }

    /// Returns the caller on whose account this thread works; null if it is work of the server itself.
    static @Nullable Object current() {
        return CALLER.isBound() ? CALLER.get().get() : null;
    }

    /// Returns the group on whose account this thread works; null if it is work of the server itself.
    public static @Nullable Object currentGroup() {
        Object caller = current();
        Object group = caller == null ? null : group(caller);
        return IDENTIFYING.isBound() && group instanceof Stranger(Object address) ? new Newcomer(address) : group;
    }

    /// Returns whether this thread works for a caller without a credential, and checks none.
    static boolean isStranger() {
        return currentGroup() instanceof Stranger;
    }

    static Object group(Object caller) {
        return caller instanceof CpuAccount account ? account.group() : caller;
    }
}
