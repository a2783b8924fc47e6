package dev.sheaf.server.registry.upload;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;

/// Bytes of an upload, which report once a minute that some have arrived.
final class ArrivingBytes extends FilterInputStream {
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final InstantSource clock;
    private final Consumer<Instant> report;
    private Instant reported;

    ArrivingBytes(InputStream in, InstantSource clock, Consumer<Instant> report) {
        super(in);
        this.clock = clock;
        this.report = report;
        this.reported = clock.instant();
    }

    @Override
    public int read() throws IOException {
        int read = super.read();
        arrived(read);
        return read;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int read = super.read(buffer, offset, length);
        arrived(read);
        return read;
    }

    private void arrived(int read) {
        var now = clock.instant();
        if (read >= 0 && !now.isBefore(reported.plus(INTERVAL))) {
            reported = now;
            report.accept(now);
        }
    }
}
