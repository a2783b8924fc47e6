package dev.sheaf.engine.blob.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sheaf.engine.metrics.CallTimes;
import dev.sheaf.model.ProblemException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// When calls to a bucket are no longer made, and when they are again.
class S3CallsTest {
    private final S3Calls calls = new S3Calls("a", CallTimes.OFF);
    private final AtomicInteger made = new AtomicInteger();

    private void fail(RuntimeException failure, int times) {
        for (int i = 0; i < times; i++) {
            fail(failure, "one");
        }
    }

    private void fail(RuntimeException failure, String... objects) {
        for (String object : objects) {
            assertThatThrownBy(() -> calls.call("get an object from", object, () -> {
                        made.incrementAndGet();
                        throw failure;
                    }))
                    .isInstanceOf(ProblemException.class);
        }
    }

    private static RuntimeException status(int status) {
        return S3Exception.builder().message("no").statusCode(status).build();
    }

    @Test
    void aBucketThatDoesNotAnswerIsNotAskedAgain() {
        fail(SdkClientException.create("refused"), CircuitBreaker.FAILURES - 1);
        assertThat(calls.isRefusing()).isFalse();

        fail(status(503), 20);

        assertThat(calls.isRefusing()).isTrue();
        assertThat(made).hasValue(CircuitBreaker.FAILURES);
    }

    @Test
    void anAnswerIsAnAnswerThoughItRefuses() {
        fail(status(403), 20);

        assertThat(made).hasValue(20);
        assertThat(calls.isRefusing()).isFalse();
    }

    @Test
    void aDamagedObjectDoesNotCloseTheBucketForOthers() {
        fail(status(500), 20);

        assertThat(made).hasValue(20);
        assertThat(calls.isRefusing()).isFalse();
        assertThat(calls.<String>call("get an object from", "another", () -> "bytes"))
                .isEqualTo("bytes");
    }

    @Test
    void errorsAboutSeveralObjectsInARowAreTheBuckets() {
        fail(status(500), "one", "two");
        calls.call("get an object from", "three", () -> "bytes");
        fail(status(500), "one", "two", "one", "two");
        assertThat(calls.isRefusing()).isFalse();

        fail(status(500), "three");

        assertThat(calls.isRefusing()).isTrue();
    }

    @Test
    void aBucketThatIsTooBusyForOneObjectMayHaveTimeForOthers() {
        fail(status(503), 20);
        assertThat(calls.isRefusing()).isFalse();

        fail(status(503), "two", "three");

        assertThat(calls.isRefusing()).isTrue();
    }

    @Test
    void completionsThatTakeLongDoNotCloseTheBucketForOthers() {
        var slow = ApiCallTimeoutException.builder().message("60 s").build();
        complete(slow, 20);
        assertThat(calls.isRefusing()).isFalse();

        complete(SdkClientException.create("refused"), CircuitBreaker.FAILURES);

        assertThat(calls.isRefusing()).isTrue();
    }

    private void complete(RuntimeException failure, int times) {
        for (int i = 0; i < times; i++) {
            assertThatThrownBy(() -> calls.attemptLong("complete an upload to", "one", () -> {
                        throw failure;
                    }))
                    .isInstanceOf(ProblemException.class);
        }
    }

    @Test
    void theLogHasALineAboutADamagedObject() {
        var log = new ListAppender<ILoggingEvent>();
        log.start();
        var logger = (Logger) LoggerFactory.getLogger(S3Calls.class);
        logger.addAppender(log);
        try {
            fail(status(500), 20);
        } finally {
            logger.detachAppender(log);
        }

        assertThat(log.list).singleElement().satisfies(line -> {
            assertThat(line.getFormattedMessage()).contains("cannot get an object from the bucket a (object one): ");
            assertThat(line.getThrowableProxy()).isNull();
        });
    }

    @Test
    void theCheckOfHealthIsMadeAndItsSuccessEndsIt() {
        fail(SdkClientException.create("refused"), CircuitBreaker.FAILURES);

        calls.probe(() -> "well");

        assertThat(calls.isRefusing()).isFalse();
        assertThat(calls.<String>call("get an object from", () -> "bytes")).isEqualTo("bytes");
    }

    @Test
    void oneCallInTwoSecondsIsTried() {
        var nanos = new AtomicLong();
        var breaker = new CircuitBreaker(nanos::get);
        for (int i = 0; i < CircuitBreaker.FAILURES; i++) {
            assertThat(breaker.admits()).isTrue();
            breaker.failed();
        }
        assertThat(breaker.admits()).isFalse();

        nanos.set(CircuitBreaker.PAUSE.toNanos());

        assertThat(breaker.admits()).isTrue();
        assertThat(breaker.admits()).as("another at the same time").isFalse();
        assertThat(breaker.succeeded()).isTrue();
        assertThat(breaker.admits()).isTrue();
    }
}
