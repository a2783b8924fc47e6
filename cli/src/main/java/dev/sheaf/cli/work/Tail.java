package dev.sheaf.cli.work;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// The last bytes of what a command prints. All of it is read, so that the command never waits, and no more than this
/// is kept. Thread-safe.
final class Tail {
    private final byte[] ring;
    private long count;

    Tail(int most) {
        this.ring = new byte[most];
    }

    /// Reads until the end, on a thread of its own.
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

    /// Whether there was more than is kept.
    synchronized boolean isCut() {
        return count > ring.length;
    }

    /// What is kept, from the first whole character on; bytes that are no UTF-8 are replaced.
    synchronized String text() {
        int kept = (int) Math.min(count, ring.length);
        byte[] bytes = new byte[kept];
        for (int i = 0; i < kept; i++) {
            bytes[i] = ring[(int) ((count - kept + i) % ring.length)];
        }
        int start = 0;
        while (isCut() && start < Math.min(3, kept) && (bytes[start] & 0xc0) == 0x80) {
            start++;
        }
        return new String(bytes, start, kept - start, StandardCharsets.UTF_8);
    }
}
