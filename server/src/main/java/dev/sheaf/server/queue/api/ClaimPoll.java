package dev.sheaf.server.queue.api;

import dev.sheaf.engine.http.WaitingLimit;
import dev.sheaf.model.wire.queue.Runner;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.queue.claim.ClaimRequest;
import dev.sheaf.server.queue.claim.Claims;
import dev.sheaf.server.queue.claim.WaitingClaims;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A claim. It is answered when there is a job or when its time is over. Bound to its call.
final class ClaimPoll implements Answer.Waiting {
    private static final int COPIES = 4; // as text of up to two bytes per character, and as JSON

    private final Claims claims;
    private final Call call;
    private final ClaimRequest request;
    private final WaitingLimit seats;
    private final WaitingClaims.Waiter waiter;
    private final long deadline;
    private final boolean waits;
    private int failed;
    private WaitingLimit.@Nullable Seat seat;
    private long nanos;

    ClaimPoll(Claims claims, Call call, ClaimRequest request, WaitingLimit seats, Duration wait) {
        this.claims = claims;
        this.call = call;
        this.request = request;
        this.seats = seats;
        this.waiter = claims.waiter(caller(), request);
        this.waits = wait.isPositive();
        this.deadline = System.nanoTime() + wait.toNanos();
    }

    private Caller.Known caller() {
        return call.origin().caller();
    }

    /// Returns the answer; it may wait first.
    Answer answer() {
        waiter.look();
        var result = claims.take(caller(), request, call.registryHost());
        failed += result.failed();
        if (!result.jobs().isEmpty()) {
            return withFailed(shown(result.jobs()));
        }
        var told = waiter.toldOf();
        if (told != null && claims.isForOthers(caller(), told)) {
            waiter.passOn();
        }
        long left = deadline - System.nanoTime();
        if (left <= 0 || waiter.isOver()) {
            return nothing();
        }
        if (seat == null) {
            seat = seats.take(call.holder());
        }
        nanos = Math.min(left, untilNext());
        return Answer.later(this, this::again);
    }

    private Answer nothing() {
        var answer = withFailed(Answer.empty(204)).unbuffered();
        var queue = request.queueId();
        return waits || queue == null
                ? answer
                : claims.heldBack(caller(), queue)
                        .map(until -> answer.with("Sheaf-Held-Back-Until", until.toString()))
                        .orElse(answer);
    }

    private Answer withFailed(Answer answer) {
        return failed == 0 ? answer : answer.with("Sheaf-Failed-Jobs", Integer.toString(failed));
    }

    private Answer shown(List<Claims.Handed> handed) {
        long length = handed.stream().mapToLong(Claims.Handed::length).sum();
        try {
            call.borrow("the claimed jobs", length, COPIES);
        } catch (RuntimeException e) {
            handed.forEach(claims::takeBack);
            throw e;
        }
        var first = handed.getFirst().claim();
        Object body = request.max() == null
                ? first
                : new Runner.Claims(handed.stream().map(Claims.Handed::claim).toList());
        return Answer.json(200, body)
                .with("Cache-Control", "no-store")
                .unbuffered()
                .undoneBy(() -> handed.forEach(claims::takeBack));
    }

    /// Returns the time until a released job becomes visible or the credential ends.
    private long untilNext() {
        var now = claims.now();
        long next = claims.nextHidden(caller()).map(at -> nanos(now, at)).orElse(Long.MAX_VALUE);
        var end = caller().endsAt();
        return end == null ? next : Math.min(next, nanos(now, end));
    }

    private static long nanos(Instant now, Instant at) {
        return Math.max(1, Duration.between(now, at).plusMillis(1).toNanos());
    }

    private Answer again() {
        if (call.exchange().isGone()) {
            return Answer.empty(204); // the client has gone; the next waiting request is woken
        }
        call.admitAgain();
        return answer();
    }

    @Override
    public void await() {
        waiter.await(nanos);
    }

    @Override
    public void close() {
        waiter.close();
        if (seat != null) {
            seat.close();
        }
    }
}
