package dev.sheaf.server.cpu;

/// On whose account something is computed, where several take turns as one: the credentials of an organization, or
/// whoever has ten of them would have ten turns.
///
/// @param group who has a turn
/// @param caller whose line it is, of the group
public record CpuAccount(Object group, Object caller) {
    static Object group(Object caller) {
        return caller instanceof CpuAccount account ? account.group() : caller;
    }
}
