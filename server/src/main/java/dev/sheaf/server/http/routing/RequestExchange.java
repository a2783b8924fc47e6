package dev.sheaf.server.http.routing;

import dev.sheaf.engine.cpu.CpuAccount;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.http.DisconnectedException;
import dev.sheaf.engine.http.HttpExchange;
import dev.sheaf.engine.http.RequestPayload;
import dev.sheaf.engine.trace.CurrentSpan;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Throttle;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.SessionRecord;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.RouteSurface;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The processing of a request: route, credential, scope, handler, answer. Problems on the way are rendered by
/// the surface. An answer may wait before it is sent, or between its parts. Bound to its thread.
final class RequestExchange {
    private static final Logger LOG = LoggerFactory.getLogger(RequestExchange.class);

    private static final long RETRY_SECONDS = 5;
    private static final Answer.Header CLOSE = new Answer.Header("Connection", "close");
    private static final Runnable NOTHING = () -> {};

    private final RouteSurface surface;
    private final Call call;
    private final HttpExchange http;
    private final RouteCalls routes;
    private final CallerCheck callers;
    private final IntConsumer ended;
    private Answer.@Nullable Waiting waiting;
    private Runnable next = NOTHING; // runs after the wait
    private Runnable undo = NOTHING; // runs if the answer cannot be sent
    private int status;
    private boolean ends; // whether the connection must end with this answer

    /// @param ended receives the status of the answer at its end; 0 if no answer was made
    RequestExchange(
            RouteSurface surface,
            Call call,
            HttpExchange http,
            RouteCalls routes,
            CallerCheck callers,
            IntConsumer ended) {
        this.surface = surface;
        this.call = call;
        this.http = http;
        this.routes = routes;
        this.callers = callers;
        this.ended = ended;
    }

    /// @param admitted false if the node shuts down
    /// @param leaving true if the node will shut down soon, so that the connection should get no further
    /// request
    void begin(boolean admitted, boolean leaving) {
        ends = leaving && http.isHttp1(); // HTTP/2 has a frame for this
        step(() -> proceed(admitted ? answer(() -> routes.answer(surface, call)) : refuse()));
    }

    boolean waits() {
        return waiting != null;
    }

    /// Waits, if there is something to wait for.
    void await() {
        var its = waiting;
        if (its != null) {
            http.rest(its::await);
        }
    }

    /// Continues after a wait, unless the client has gone.
    void goOn() {
        step(http.isEnded() ? RequestExchange::gone : next);
    }

    private static void gone() {
        throw new DisconnectedException("its connection has ended");
    }

    private void step(Runnable work) {
        var span = call.span();
        if (span == null) {
            stepNow(work);
        } else {
            CurrentSpan.during(span, () -> stepNow(work));
        }
    }

    private void stepNow(Runnable work) {
        boolean waits = false;
        try {
            waits = CpuPool.onAccountOf(() -> payer(call), () -> {
                work.run();
                return waiting != null;
            });
        } catch (UncheckedIOException | DisconnectedException e) {
            LOG.debug("{} {} {}: the connection broke", call.requestId(), call.method(), call.rawPath(), e);
            undo();
            http.abort();
        } catch (RuntimeException | Error e) {
            LOG.error("{} {} {}: the answer was cut off", call.requestId(), call.method(), call.rawPath(), e);
            undo();
            http.abort();
        } finally {
            if (!waits) {
                await(null);
                ended.accept(status);
            }
        }
    }

    /// Returns the account for computing and for the database. The credentials of an organization share its turns,
    /// and each has its own queue.
    private static Object payer(Call call) {
        var account = call.account();
        return switch (call.caller()) {
            case Caller.Anonymous ignored -> new CpuAccount(new CpuAccount.Stranger(account), account);
            case Caller.Known known when known.organizationId().equals(SessionRecord.NO_ORGANIZATION) -> account;
            case Caller.Known known -> new CpuAccount(known.organizationId(), account);
        };
    }

    private void undo() {
        boolean interrupted = Thread.interrupted();
        var once = undo;
        undo = NOTHING;
        try {
            once.run();
        } catch (RuntimeException e) {
            LOG.warn("{} {} {}: cannot undo the request", call.requestId(), call.method(), call.rawPath(), e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void await(Answer.@Nullable Waiting other) {
        var before = waiting;
        waiting = other;
        if (before != null && before != other) {
            before.close();
        }
    }

    private void proceed(Answer given) {
        if (given.body() instanceof Answer.Body.Later later) {
            await(later.waiting());
            next = () -> {
                http.again();
                proceed(answer(later.then()));
            };
            return;
        }
        await(given.body() instanceof Answer.Body.Live live ? live.steps() : null);
        undo = given.undone();
        var ready = ready(callers.warned(given, call));
        status = ready.status();
        SteppedContent stepped;
        try {
            stepped = AnswerSender.send(ready, call);
        } catch (AnswerBodies.UnsentException e) {
            refuseInstead(e);
            return;
        }
        next = () -> {
            if (stepped == null || !stepped.goOn()) {
                await(null);
            }
        };
        if (stepped == null) {
            await(null);
        }
    }

    /// Sends a refusal in place of an answer whose content cannot be read and of which nothing was sent.
    private void refuseInstead(AnswerBodies.UnsentException failure) {
        undo();
        if (!http.reset()) {
            throw failure;
        }
        proceed(refusal(failure.reason()));
    }

    /// Prepares the answer, or a refusal if the caller has now exceeded a rate limit, or if there is no memory for a
    /// long answer.
    private AnswerSender.Ready ready(Answer answer) {
        var ready = AnswerSender.ready(answer, call);
        try {
            call.toll().settle(ready.unmodified(), call.caller());
            call.payload().worked(unsent(ready), AnswerSender.isRead(call));
        } catch (ProblemException e) {
            call.payload().worked(0, false);
            ready = AnswerSender.ready(callers.warned(rendered(e.problem()), call), call);
        }
        if ((ends || call.payload().endsConnection())
                && !ready.answer().headers().contains(CLOSE)) {
            ready = ready.with(CLOSE);
        }
        return ready;
    }

    private long unsent(AnswerSender.Ready ready) {
        return ready.unmodified() || call.isHead()
                ? 0
                : ready.json().length + ready.answer().held();
    }

    private Answer refuse() {
        var problem = new Problem.Unavailable("this node is shutting down; try again, another node may answer", 1);
        return rendered(problem).with(CLOSE.name(), CLOSE.value());
    }

    private Answer rendered(Problem problem) {
        call.refusedFor(problem);
        return surface.errors().render(problem, call);
    }

    private Answer answer(Supplier<Answer> handler) {
        try {
            return inTime(handler);
        } catch (RuntimeException | Error e) {
            if (RequestPayload.isBroken(e)) {
                throw e;
            }
            return refusal(e);
        }
    }

    private Answer refusal(Throwable why) {
        if (why instanceof ProblemException e) {
            var kind = e.problem().kind();
            LOG.debug("{} {} {}: {}", call.requestId(), call.method(), call.rawPath(), kind);
            callers.note(e.problem(), call);
            return rendered(e.problem());
        }
        boolean isStore = why instanceof IOException || why instanceof UncheckedIOException;
        if (isStore) { // a disk is no defect of the program
            LOG.error("{} {} {} failed: {}", call.requestId(), call.method(), call.rawPath(), why.toString());
            LOG.debug("where it failed", why);
        } else {
            LOG.error("{} {} {} failed", call.requestId(), call.method(), call.rawPath(), why);
        }
        return rendered(
                isStore
                        ? new Problem.Unavailable("the server failed to read or write; try again", RETRY_SECONDS)
                        : new Problem.Internal());
    }

    /// Runs the handler. Any exception of an interrupted handler counts as a timeout. If an interrupted handler
    /// returns an answer, the answer is used.
    private Answer inTime(Supplier<Answer> handler) {
        Answer answer;
        try {
            answer = handler.get();
        } catch (RuntimeException | Error e) {
            if (http.done()) {
                LOG.debug("{} {} {} took too long", call.requestId(), call.method(), call.rawPath(), e);
                throw new Problem.Unavailable(
                                Throttle.TIME, "the request took too long (api-timeout); try again", RETRY_SECONDS)
                        .raise();
            }
            throw e;
        }
        http.done();
        return answer;
    }
}
