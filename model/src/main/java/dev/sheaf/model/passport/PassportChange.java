package dev.sheaf.model.passport;

import dev.sheaf.model.passport.Passport.Entry;
import dev.sheaf.model.passport.Passport.Rows;
import java.util.List;

/// What is new in a passport, and what is gone, compared with an earlier one. A thing that only moved to other lines
/// or files is neither.
public record PassportChange(Rows added, Rows gone) {
    /// Compares two passports.
    public static PassportChange between(Rows before, Rows after) {
        return new PassportChange(without(after, before), without(before, after));
    }

    /// Returns whether nothing is new or gone.
    public boolean isNone() {
        return added.equals(Rows.NONE) && gone.equals(Rows.NONE);
    }

    private static Rows without(Rows all, Rows others) {
        return new Rows(
                without(all, others, PassportRow.RUNS),
                without(all, others, PassportRow.REACHES),
                without(all, others, PassportRow.TOOLS),
                without(all, others, PassportRow.SECRETS),
                without(all, others, PassportRow.LEAVES_BEHIND),
                without(all, others, PassportRow.INSTRUCTIONS));
    }

    private static List<Entry> without(Rows all, Rows others, PassportRow row) {
        return all.of(row).stream()
                .filter(entry -> others.of(row).stream().noneMatch(entry::isSame))
                .toList();
    }
}
