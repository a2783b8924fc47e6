package dev.sheaf.server.net;

import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Looks host names up, on threads of their own: a look-up keeps its thread busy for as long as somebody's name server
/// likes. Thread-safe.
final class HostLookup {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final int THREADS = 16;
    private static final int WAITING = 256;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING),
            Thread.ofPlatform().daemon().name("name-lookup-", 0).factory());

    HostLookup() {
        threads.allowCoreThreadTimeOut(true);
    }

    List<InetAddress> find(String host) throws UnknownHostException, InterruptedIOException {
        @Nullable Future<InetAddress[]> running = null;
        try {
            running = threads.submit(() -> InetAddress.getAllByName(host));
            return List.of(running.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            throw unknown(host, "is not known", e);
        } catch (TimeoutException e) {
            throw unknown(host, "cannot be looked up: its name server does not answer", e);
        } catch (RejectedExecutionException e) {
            throw unknown(host, "cannot be looked up: too many others are", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while looking up " + host);
        } finally {
            if (running != null) {
                running.cancel(true); // one that nobody waits for any more takes no turn
            }
        }
    }

    private static UnknownHostException unknown(String host, String why, Exception cause) {
        var unknown = new UnknownHostException("the host " + host + " " + why);
        unknown.initCause(cause);
        return unknown;
    }
}
