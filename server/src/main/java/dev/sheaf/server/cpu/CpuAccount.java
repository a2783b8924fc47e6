package dev.sheaf.server.cpu;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The account to which work is charged if several callers share one turn. All credentials of an organization
/// share one turn; otherwise an organization with ten credentials would have ten turns.
///
/// @param group the group that takes turns, such as an organization
/// @param caller the caller within the group, who has a queue of its own
public record CpuAccount(Object group, Object caller) {
    static final ScopedValue<Supplier<?>> CALLER = ScopedValue.newInstance();

    /// Returns the caller on whose account this thread works; null if it is work of the server itself.
    static @Nullable Object current() {
        return CALLER.isBound() ? CALLER.get().get() : null;
    }

    /// Returns the group on whose account this thread works; null if it is work of the server itself.
    public static @Nullable Object currentGroup() {
        Object caller = current();
        return caller == null ? null : group(caller);
    }

    static Object group(Object caller) {
        return caller instanceof CpuAccount account ? account.group() : caller;
    }
}
