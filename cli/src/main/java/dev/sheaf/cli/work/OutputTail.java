package dev.sheaf.cli.work;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// The last bytes of a command's output. All output is read, so that the command never blocks, but only this
/// much is kept. Thread-safe.
final class OutputTail {
    private final byte[] ring;
    private long count;

    OutputTail(int most) {
        this.ring = new byte[most];
    }

    /// Reads until the end, on a new thread.
    Thread read(InputStream in) {
        return Thread.ofPlatform().daemon().name("sheaf-output").start(() -> {
            byte[] buffer = new byte[8192];
            try (in) {
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    add(buffer, read);
                }
            } catch (IOException e) {
                // the command is gone
            }
        });
    }

    private synchronized void add(byte[] bytes, int length) {
        for (int i = Math.max(0, length - ring.length); i < length; i++) {
            ring[(int) ((count + i) % ring.length)] = bytes[i];
        }
        count += length;
    }

    /// Returns whether output was dropped.
    synchronized boolean isCut() {
        return count > ring.length;
    }

    /// Returns the kept output from its first whole character; invalid UTF-8 is replaced.
    synchronized String text() {
        return text(ring.length);
    }

    /// Returns the last bytes of it.
    synchronized String text(int most) {
        int kept = (int) Math.min(count, Math.min(most, ring.length));
        byte[] bytes = new byte[kept];
        for (int i = 0; i < kept; i++) {
            bytes[i] = ring[(int) ((count - kept + i) % ring.length)];
        }
        int start = 0;
        while (count > kept && start < Math.min(3, kept) && (bytes[start] & 0xc0) == 0x80) {
            start++;
        }
        return new String(bytes, start, kept - start, StandardCharsets.UTF_8);
    }
}
