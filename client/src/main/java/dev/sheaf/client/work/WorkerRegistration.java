package dev.sheaf.client.work;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.io.TaskThreads;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The registration of a worker, kept alive by heartbeats. Thread-safe.
final class WorkerRegistration {
    private final RunnerCalls calls;
    private final RunnerCalls.Registration said;
    private final Supplier<@Nullable UUID> current;
    private volatile UUID id;
    private volatile Duration interval;
    private final Thread beats;

    /// @param current returns one of the jobs that the worker holds; null if it holds no job
    WorkerRegistration(
            RunnerCalls calls, UUID habitat, WorkerPlan.Identity identity, Supplier<@Nullable UUID> current) {
        this.calls = calls;
        this.said = new RunnerCalls.Registration(
                identity.instance(),
                habitat,
                identity.name(),
                identity.type(),
                RegistryTransport.version(),
                identity.metadata());
        this.current = current;
        var registered = calls.register(said);
        this.id = registered.workerId();
        this.interval = interval(registered.heartbeatIntervalMs());
        this.beats = Thread.ofVirtual().name("sheaf-worker-beats").unstarted(this::beat);
    }

    void start() {
        beats.start();
    }

    UUID id() {
        return id;
    }

    private static Duration interval(long millis) {
        long longest = WorkerPlan.LONGEST_BEAT.toMillis();
        return Duration.ofMillis(millis <= 0 ? longest : Math.clamp(millis, 1_000, longest));
    }

    private void beat() {
        try {
            while (true) {
                TaskThreads.sleep(interval);
                once();
            }
        } catch (SheafException.Cancelled e) {
            // the worker ends
        }
    }

    /// Sends a heartbeat. Registers again if the registry no longer knows the worker.
    private void once() {
        try {
            calls.beat(id, current.get());
        } catch (SheafException.Cancelled e) {
            throw e;
        } catch (SheafException.NotFound | SheafException.Conflict e) {
            again();
        } catch (SheafException e) {
            // the next one may arrive
        }
    }

    private void again() {
        try {
            var registered = calls.register(said);
            id = registered.workerId();
            interval = interval(registered.heartbeatIntervalMs());
        } catch (SheafException.Cancelled e) {
            throw e;
        } catch (SheafException e) {
            // retried with the next heartbeat
        }
    }

    /// Ends the registration if the registry can be reached.
    void end(String reason, long completed, long failed) {
        beats.interrupt();
        try {
            calls.deregister(id, reason, completed, failed);
        } catch (SheafException e) {
            // the registry marks it offline by itself
        }
    }
}
