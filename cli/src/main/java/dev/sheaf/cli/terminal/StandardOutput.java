package dev.sheaf.cli.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Standard output that reports failed writes. A plain [PrintStream] ignores them, so a full disk would look
/// like success.
final class StandardOutput extends PrintStream {
    private static final String NOBODY_READS = "Broken pipe";

    private final Watched watched;

    StandardOutput(OutputStream out, Charset charset) {
        this(new Watched(out), charset);
    }

    private StandardOutput(Watched watched, Charset charset) {
        super(watched, true, charset);
        this.watched = watched;
    }

    /// Returns why output is missing; empty if all was written, or if the reader ended first, as `head` does.
    Optional<String> lost() {
        flush();
        return Optional.ofNullable(watched.refusal).filter(why -> !why.startsWith(NOBODY_READS));
    }

    private static final class Watched extends FilterOutputStream {
        private @Nullable String refusal;

        Watched(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                out.write(bytes, offset, length);
            } catch (IOException e) {
                throw noted(e);
            }
        }

        @Override
        public void flush() throws IOException {
            try {
                out.flush();
            } catch (IOException e) {
                throw noted(e);
            }
        }

        private IOException noted(IOException e) {
            if (refusal == null) {
                refusal = String.valueOf(e.getMessage());
            }
            return e;
        }
    }
}
