package dev.sheaf.engine.blob.s3;

import dev.sheaf.engine.blob.OncePerMinute;
import dev.sheaf.engine.blob.s3.S3Bucket.GoneException;
import dev.sheaf.engine.metrics.CallTimes;
import java.net.SocketTimeoutException;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// Makes the calls to a bucket: measures them, translates their failures, and stops making them while the bucket does
/// not answer. Thread-safe.
final class S3Calls {
    private static final Logger LOG = LoggerFactory.getLogger(S3Calls.class);
    private static final Set<String> LOST = Set.of("NoSuchUpload", "NoSuchKey", "InvalidPart");
    private static final int SERVER_ERROR = 500;
    private static final String BUCKET = "";

    private final String name;
    private final CallTimes times;
    private final OncePerMinute log = new OncePerMinute();
    private final CircuitBreaker breaker = new CircuitBreaker(System::nanoTime);

    /// @param name the name of the bucket
    S3Calls(String name, CallTimes times) {
        this.name = name;
        this.times = times;
    }

    /// Returns whether most calls are refused because the bucket does not answer.
    boolean isRefusing() {
        return breaker.isOpen();
    }

    /// Returns whether the bucket did not answer to the last call, so that needless calls are better left out.
    boolean isInDoubt() {
        return breaker.isInDoubt();
    }

    /// Makes a call that shows whether the bucket answers, even while others are refused.
    void probe(Supplier<?> request) {
        try {
            tried("reach", BUCKET, false, request);
        } catch (GoneException e) {
            throw gone("reach", e);
        }
    }

    /// Makes a call that does not concern a single object.
    ///
    /// @param what a verb and the words up to "the bucket"
    <T> T call(String what, Supplier<T> request) {
        return call(what, BUCKET, request);
    }

    /// @param what a verb and the words up to "the bucket"
    <T> T call(String what, String object, Supplier<T> request) {
        try {
            return attempt(what, object, request);
        } catch (GoneException e) {
            throw gone(what, e);
        }
    }

    private RuntimeException gone(String what, GoneException e) {
        note(what, BUCKET, e);
        return S3Bucket.unavailable();
    }

    <T> T attempt(String what, String object, Supplier<T> request) throws GoneException {
        return attempt(what, object, false, request);
    }

    /// Makes a call that may take long, although the bucket answers to others: its timeout is no sign that the bucket
    /// is silent.
    <T> T attemptLong(String what, String object, Supplier<T> request) throws GoneException {
        return attempt(what, object, true, request);
    }

    private <T> T attempt(String what, String object, boolean isLong, Supplier<T> request) throws GoneException {
        if (!breaker.admits()) {
            throw S3Bucket.unavailable();
        }
        return tried(what, object, isLong, request);
    }

    /// Makes a call, even while the breaker is open.
    private <T> T tried(String what, String object, boolean isLong, Supplier<T> request) throws GoneException {
        long since = System.nanoTime();
        SdkException failure = null;
        try {
            T answer = request.get();
            answered();
            return answer;
        } catch (S3Exception e) {
            failure = e;
            noteAnswer(e.statusCode(), object);
            if (isGone(e)) {
                throw new GoneException("cannot " + what + " the bucket: " + e.getMessage());
            }
            note(what, object, e);
            throw S3Bucket.unavailable();
        } catch (SdkException e) {
            failure = e;
            if (!isLong || !isTimeout(e)) {
                noteFailure(breaker::failed);
            }
            note(what, BUCKET, e);
            throw S3Bucket.unavailable();
        } finally {
            times.took(what.split(" ", 2)[0], System.nanoTime() - since, failure);
        }
    }

    /// @param object empty if the failure is not about a single object
    private void note(String what, String object, Exception why) {
        if (log.isDue(what + " " + object)) {
            String which = object.equals(BUCKET) ? "" : " (object " + object + ")";
            LOG.error("cannot {} the bucket {}{}: {}", what, name, which, why.toString());
        }
    }

    private void answered() {
        if (breaker.succeeded()) {
            LOG.info("the bucket {} answers again", name);
        }
    }

    /// Notes that an object stopped in the middle. Only silence counts: a connection that breaks says little about the
    /// bucket, and the next attempt shows more.
    void brokeOff(String object, Exception why) {
        if (isTimeout(why)) {
            noteFailure(breaker::failed);
        }
        note("read on from", object, why);
    }

    private static boolean isTimeout(Exception failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException || cause instanceof ApiCallTimeoutException) {
                return true;
            }
        }
        return false;
    }

    private void noteAnswer(int status, String object) {
        if (status < SERVER_ERROR) {
            answered();
        } else if (object.equals(BUCKET)) {
            noteFailure(breaker::failed);
        } else {
            noteFailure(() -> breaker.failedAbout(object));
        }
    }

    /// @param breaks counts the failure; returns whether it opened the breaker
    private void noteFailure(BooleanSupplier breaks) {
        boolean isOurs = Thread.currentThread().isInterrupted(); // the caller gave up
        if (!isOurs && breaks.getAsBoolean()) {
            LOG.error("the bucket {} does not answer; requests that need it are refused until it does", name);
        }
    }

    private static boolean isGone(S3Exception e) {
        var details = e.awsErrorDetails();
        String code = details == null ? null : details.errorCode();
        return code == null || code.isEmpty() ? e.statusCode() == S3Bucket.NOT_FOUND : LOST.contains(code);
    }

    /// Counts bytes of an object that were read; negative at its end.
    void read(int bytes) {
        if (bytes > 0) {
            times.read(bytes);
        }
    }

    /// Counts bytes that were put into the bucket.
    void written(long bytes) {
        times.written(bytes);
    }
}
