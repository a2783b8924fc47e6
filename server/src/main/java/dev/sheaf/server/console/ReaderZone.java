package dev.sheaf.server.console;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The time zone in which a page shows times: that of its reader's account, or UTC. It is known wherever a page is
/// made, so that a time in a sentence cannot be in another zone than one in a table.
public final class ReaderZone {
    private static final ScopedValue<Supplier<ZoneId>> ZONE = ScopedValue.newInstance();

    private ReaderZone() {}

    /// Makes a page.
    ///
    /// @param zone asked for when the first time is shown
    static <T> T during(Supplier<ZoneId> zone, Supplier<T> make) {
        return ScopedValue.where(ZONE, zone).call(make::get);
    }

    static ZoneId get() {
        return ZONE.isBound() ? ZONE.get().get() : ZoneOffset.UTC;
    }

    static boolean isUtc() {
        return get().getRules().equals(ZoneOffset.UTC.getRules());
    }

    /// The zone of that name; UTC where this Java does not know it, or it is null.
    static ZoneId of(@Nullable String name) {
        try {
            return name == null ? ZoneOffset.UTC : ZoneId.of(name);
        } catch (DateTimeException e) {
            return ZoneOffset.UTC;
        }
    }
}
