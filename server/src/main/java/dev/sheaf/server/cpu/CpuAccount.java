package dev.sheaf.server.cpu;

/// The account to which computing is charged if several callers share one turn. All credentials of an organization
/// share one, otherwise an organization with ten credentials would have ten turns.
///
/// @param group the group that takes turns, such as an organization
/// @param caller the caller within the group, who has a queue of its own
public record CpuAccount(Object group, Object caller) {
    static Object group(Object caller) {
        return caller instanceof CpuAccount account ? account.group() : caller;
    }
}
