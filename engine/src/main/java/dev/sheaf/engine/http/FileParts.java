package dev.sheaf.engine.http;

import io.netty.channel.DefaultFileRegion;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// Sends a part of a file from the operating system's memory, piece by piece, so that downloads take turns on a loop.
/// Bound to its loop's thread.
final class FileParts implements Runnable {
    private final HttpConnection connection;
    private final HttpExchange exchange;
    private final FileChannel file;
    private final int piece;
    private final boolean last;
    private @Nullable HttpResponse head;
    private long position;
    private long left;

    FileParts(
            HttpConnection connection,
            HttpExchange exchange,
            FileChannel file,
            long offset,
            long count,
            boolean last,
            int piece,
            @Nullable HttpResponse head) {
        this.connection = connection;
        this.exchange = exchange;
        this.file = file;
        this.position = offset;
        this.left = count;
        this.last = last;
        this.piece = piece;
        this.head = head;
    }

    /// A region that leaves the file open.
    private static final class Region extends DefaultFileRegion {
        Region(FileChannel file, long position, long count) {
            super(file, position, count);
        }

        @Override
        protected void deallocate() {
            // its owner closes the file
        }
    }

    @Override
    public void run() {
        long count = Math.min(piece, left);
        var first = head;
        head = null;
        var region = new Region(file, position, count);
        position += count;
        left -= count;
        boolean ends = last && left == 0;
        connection.write(
                exchange, first, region, ends ? LastHttpContent.EMPTY_LAST_CONTENT : null, count, ends, sent -> {
                    if (sent && left > 0) {
                        connection.executeInTurn(this);
                    } else if (left > 0) {
                        exchange.sent(left, null);
                    }
                });
    }
}
