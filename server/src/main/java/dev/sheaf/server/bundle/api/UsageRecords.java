package dev.sheaf.server.bundle.api;

import dev.sheaf.model.wire.bundle.UsageRow;
import dev.sheaf.model.wire.org.UsageReportEntry;
import dev.sheaf.server.bundle.BundleUse;
import dev.sheaf.server.bundle.UseReport;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The use of bundles as JSON.
public final class UsageRecords {
    private UsageRecords() {}

    /// @param names the names of credentials
    public static UsageRow row(BundleUse.Row row, Map<String, String> names) {
        return new UsageRow(
                date(row.day()),
                row.version().toString(),
                row.client(),
                row.pulls(),
                row.own(),
                row.pulls() == null && row.isFew() ? (long) BundleUse.FEW : null,
                row.credential(),
                row.credential() == null ? null : names.get(row.credential()));
    }

    /// @param names the names of credentials
    static UsageReportEntry entry(UseReport.Item item, Map<String, String> names) {
        var row = item.row();
        return new UsageReportEntry(
                row.ref().namespace().value(),
                row.ref().bundle().value(),
                text(row.version()),
                text(row.latest()),
                row.publishedAt(),
                reasons(row),
                row.pulls(),
                row.own(),
                item.lastDay() == null ? null : date(item.lastDay()),
                item.wasPulled(),
                item.credentials().stream()
                        .map(one -> new UsageReportEntry.Credential(
                                one.credential(), names.get(one.credential()), one.pulls(), date(one.lastDay())))
                        .toList());
    }

    /// Returns why an old version should not be used.
    public static List<String> reasons(UseReport.Row row) {
        var reasons = new ArrayList<String>();
        if (row.isRecalled()) {
            reasons.add("recalled");
        } else if (row.isYanked()) {
            reasons.add("yanked");
        }
        if (row.isDeprecated()) {
            reasons.add("deprecated");
        }
        if (row.isOlder()) {
            reasons.add("outdated");
        }
        return reasons;
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    private static String date(long day) {
        return LocalDate.ofEpochDay(day).toString();
    }
}
