package dev.sheaf.model.wire.admin;

import java.util.List;

/// A maintenance task that administrators can start.
///
/// @param task its name, such as `gc`
/// @param purpose what it does
/// @param endsAccess whether it ends access that somebody has, and needs its name as `confirm`
/// @param effects what it does to this installation, in numbers counted now: sentences
public record TaskKindRecord(String task, String purpose, boolean endsAccess, List<String> effects) {
    public TaskKindRecord {
        effects = List.copyOf(effects);
    }
}
