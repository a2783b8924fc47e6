package dev.sheaf.server.console;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The time zone in which a page shows times: the zone of its reader's account, or UTC. It applies to the
/// whole page, so that times in sentences and in tables are in the same zone. Also the moment at which the
/// page is made, from which it tells how long ago something was.
public final class ReaderZone {
    private static final ScopedValue<Supplier<ZoneId>> ZONE = ScopedValue.newInstance();
    private static final ScopedValue<InstantSource> CLOCK = ScopedValue.newInstance();

    private ReaderZone() {}

    /// Makes a page.
    ///
    /// @param zone read when the first time is shown
    static <T> T during(Supplier<ZoneId> zone, InstantSource clock, Supplier<T> make) {
        return ScopedValue.where(ZONE, zone).where(CLOCK, clock).call(make::get);
    }

    static Instant now() {
        return CLOCK.isBound() ? CLOCK.get().instant() : Instant.now();
    }

    /// Returns the zone of the page that is being made; UTC outside a page.
    public static ZoneId get() {
        return ZONE.isBound() ? ZONE.get().get() : ZoneOffset.UTC;
    }

    static boolean isUtc() {
        return get().getRules().equals(ZoneOffset.UTC.getRules());
    }

    /// Returns the zone of that name, or UTC if it is null or unknown to this Java.
    static ZoneId of(@Nullable String name) {
        try {
            return name == null ? ZoneOffset.UTC : ZoneId.of(name);
        } catch (DateTimeException e) {
            return ZoneOffset.UTC;
        }
    }
}
