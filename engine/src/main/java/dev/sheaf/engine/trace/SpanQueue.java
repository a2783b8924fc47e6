package dev.sheaf.engine.trace;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// The spans that wait for the collector: a bounded number, sent in batches by a thread of the library. A span that
/// finds no room is dropped and counted, so that a slow or dead collector never delays a request. The library
/// counts dropped spans only in metrics of its own. Thread-safe.
final class SpanQueue implements SpanProcessor {
    static final int MOST = 4_096;
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final int BATCH = 512;

    private final AtomicInteger waiting = new AtomicInteger(); // with those that are being sent
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final SpanProcessor batches;

    SpanQueue(SpanExporter exporter) {
        this.batches = BatchSpanProcessor.builder(new Counting(exporter))
                .setMaxQueueSize(MOST)
                .setMaxExportBatchSize(BATCH)
                .setScheduleDelay(PAUSE)
                .build();
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        batches.onStart(parent, span);
    }

    @Override
    public boolean isStartRequired() {
        return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
        if (waiting.incrementAndGet() > MOST) {
            waiting.decrementAndGet();
            dropped.incrementAndGet();
            return;
        }
        batches.onEnd(span);
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }

    @Override
    public CompletableResultCode shutdown() {
        return batches.shutdown();
    }

    @Override
    public CompletableResultCode forceFlush() {
        return batches.forceFlush();
    }

    Map<String, Double> counts() {
        return Map.of("sent", sent.doubleValue(), "dropped", dropped.doubleValue(), "failed", failed.doubleValue());
    }

    private final class Counting implements SpanExporter {
        private final SpanExporter exporter;

        Counting(SpanExporter exporter) {
            this.exporter = exporter;
        }

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            int number = spans.size();
            CompletableResultCode result;
            try {
                result = exporter.export(spans);
            } catch (RuntimeException e) {
                result = CompletableResultCode.ofExceptionalFailure(e);
            }
            count(number, result);
            return result;
        }

        private void count(int number, CompletableResultCode result) {
            result.whenComplete(() -> {
                (result.isSuccess() ? sent : failed).addAndGet(number);
                waiting.addAndGet(-number);
            });
        }

        @Override
        public CompletableResultCode flush() {
            return exporter.flush();
        }

        @Override
        public CompletableResultCode shutdown() {
            return exporter.shutdown();
        }
    }
}
