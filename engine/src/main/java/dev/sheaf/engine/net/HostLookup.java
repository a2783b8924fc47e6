package dev.sheaf.engine.net;

import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Looks up host names on separate threads, because a slow name server blocks a thread. Each owner has only a
/// few look-ups at the same time, so that dead name servers of one owner do not delay calls of others.
/// Thread-safe.
final class HostLookup {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final int THREADS = 64;
    private static final int WAITING = 256;
    private static final int OF_ONE = 8;
    private static final String NOT_KNOWN = "is not known";

    private final Resolver resolver;
    private final Map<String, Integer> owners = new ConcurrentHashMap<>();

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING),
            Thread.ofPlatform().daemon().name("name-lookup-", 0).factory());

    /// Resolves a host name.
    interface Resolver {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    HostLookup() {
        this(InetAddress::getAllByName);
    }

    HostLookup(Resolver resolver) {
        this.resolver = resolver;
        threads.allowCoreThreadTimeOut(true);
    }

    /// @param owner the owner of the call
    List<InetAddress> find(String host, String owner) throws UnknownHostException, InterruptedIOException {
        if (owners.merge(owner, 1, Integer::sum) > OF_ONE && !owner.equals(OutgoingClient.Call.OPERATOR)) {
            leave(owner);
            throw unknown(host, "cannot be looked up: too many lookups of this organization are running", null);
        }
        try {
            return find(host);
        } finally {
            leave(owner);
        }
    }

    private void leave(String owner) {
        owners.computeIfPresent(owner, (name, count) -> count == 1 ? null : count - 1);
    }

    private List<InetAddress> find(String host) throws UnknownHostException, InterruptedIOException {
        @Nullable Future<InetAddress[]> running = null;
        try {
            running = threads.submit(() -> resolver.resolve(host));
            return List.of(running.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            throw unknown(host, NOT_KNOWN, e);
        } catch (TimeoutException e) {
            throw unknown(host, "cannot be looked up: its name server does not answer", e);
        } catch (RejectedExecutionException e) {
            throw unknown(host, "cannot be looked up: too many lookups are running", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while looking up " + host);
        } finally {
            if (running != null) {
                running.cancel(true); // if it still waits in the queue, it does not run
            }
        }
    }

    /// Returns whether name servers answered that there is no such name.
    static boolean isUnknown(UnknownHostException e) {
        return String.valueOf(e.getMessage()).endsWith(NOT_KNOWN);
    }

    private static UnknownHostException unknown(String host, String why, @Nullable Exception cause) {
        var unknown = new UnknownHostException("the host " + host + " " + why);
        unknown.initCause(cause);
        return unknown;
    }
}
