package dev.sheaf.engine.trace;

import dev.sheaf.engine.metrics.CallTimes;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Records the traces of a share of all requests, and sends them to an OpenTelemetry collector. A node without a
/// collector has no instance. Thread-safe.
public final class Tracing implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final Duration EXPORT = Duration.ofSeconds(10);
    /// How long an export may take with its answer, whose body has no limit otherwise. Less than the thirty seconds
    /// after which the library sends the next batch.
    private static final Duration LONGEST = EXPORT.plusSeconds(5);

    private static final Duration LAST = Duration.ofSeconds(2); // how long a stop waits for the collector
    private static final int MAX_VALUE = 256; // characters

    /// The operations of S3 by the verbs of the store's calls.
    private static final Map<String, String> S3 = Map.of(
            "put", "PutObject",
            "get", "GetObject",
            "look", "HeadObject",
            "reach", "HeadBucket",
            "delete", "DeleteObject",
            "begin", "CreateMultipartUpload",
            "upload", "UploadPart",
            "complete", "CompleteMultipartUpload",
            "abort", "AbortMultipartUpload",
            "list", "ListObjectsV2");

    private final SpanQueue queue;
    private final SdkTracerProvider provider;
    private final Tracer tracer;
    private final TraceIds ids = new TraceIds();
    private volatile double ratio;

    /// Where traces go, and which.
    ///
    /// @param endpoint the address that accepts OTLP over HTTP
    /// @param headers headers for it, such as a credential
    /// @param ratio the share of requests whose trace is recorded, from 0 to 1
    /// @param version the version of this program
    public record Settings(URI endpoint, Map<String, String> headers, double ratio, String version) {}

    public Tracing(Settings settings) {
        var exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(settings.endpoint().toString())
                .setConnectTimeout(CONNECT)
                .setTimeout(EXPORT)
                .setExecutorService(new ExportThreads(LONGEST))
                .setCompression("gzip");
        settings.headers().forEach(exporter::addHeader);
        this.ratio = settings.ratio();
        this.queue = new SpanQueue(exporter.build());
        this.provider = SdkTracerProvider.builder()
                .setSampler(Sampler.alwaysOn()) // a span is only made once the decision is taken
                .setIdGenerator(ids)
                .setSpanLimits(SpanLimits.builder()
                        .setMaxAttributeValueLength(MAX_VALUE)
                        .build())
                .setResource(Resource.getDefault()
                        .merge(Resource.create(Attributes.of(
                                AttributeKey.stringKey("service.name"),
                                "sheaf",
                                AttributeKey.stringKey("service.version"),
                                settings.version(),
                                AttributeKey.stringKey("service.instance.id"),
                                UUID.randomUUID().toString()))))
                .addSpanProcessor(queue)
                .build();
        this.tracer = provider.get("dev.sheaf");
        CurrentSpan.use();
    }

    /// Changes the share of requests whose trace is recorded.
    public void ratio(double next) {
        ratio = next;
    }

    /// Begins the span of a request.
    ///
    /// @param traceId the id of the trace; the one of the parent if there is a parent
    /// @param parent the span of a trusted caller, whose decision to record the trace counts; null if there is none
    /// @return null if the trace is not recorded
    public @Nullable RequestSpan begin(String traceId, @Nullable TraceParent parent) {
        boolean recorded = parent == null ? TraceIds.isWithin(traceId, ratio) : parent.sampled();
        if (!recorded) {
            return null;
        }
        long clockNanos = clockNanos();
        var span = tracer.spanBuilder("request")
                .setParent(parent == null ? Context.root() : Context.root().with(remote(parent)))
                .setSpanKind(SpanKind.SERVER)
                .setStartTimestamp(clockNanos + System.nanoTime(), TimeUnit.NANOSECONDS);
        return new RequestSpan(tracer, ids.with(traceId, span::startSpan), clockNanos);
    }

    /// Returns a parent for a call that belongs to no request; null if the call is not recorded.
    public @Nullable RequestSpan alone() {
        return ThreadLocalRandom.current().nextDouble() < ratio
                ? new RequestSpan(tracer, Span.getInvalid(), clockNanos())
                : null;
    }

    private static Span remote(TraceParent parent) {
        return Span.wrap(SpanContext.createFromRemoteParent(
                parent.traceId(), parent.spanId(), TraceFlags.getSampled(), TraceState.getDefault()));
    }

    /// Returns what to add to [System#nanoTime] for nanoseconds since 1970.
    private static long clockNanos() {
        var now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - System.nanoTime();
    }

    /// Returns a stopwatch that also adds a span for each transaction of a request. It contains no SQL.
    ///
    /// @param system the database's name in the semantic conventions of OpenTelemetry
    public static CallTimes transactions(String system, CallTimes times) {
        return (kind, nanos, failure) -> {
            times.took(kind, nanos, failure);
            var span = CurrentSpan.get();
            if (span != null) {
                var attributes =
                        Attributes.builder().put("db.system.name", system).put("db.operation.name", kind);
                span.called(kind + " transaction", attributes.build(), nanos, failure);
            }
        };
    }

    /// Returns a stopwatch that also adds a span for each call of a request to the bucket.
    public static CallTimes bucket(CallTimes times) {
        return new CallTimes() {
            @Override
            public void took(String call, long nanos, @Nullable Throwable failure) {
                times.took(call, nanos, failure);
                var span = CurrentSpan.get();
                if (span != null) {
                    String name = "S3/" + S3.getOrDefault(call, call);
                    var attributes = Attributes.builder()
                            .put("rpc.system.name", "aws-api")
                            .put("rpc.method", name);
                    span.called(name, attributes.build(), nanos, failure);
                }
            }

            @Override
            public void read(long bytes) {
                times.read(bytes);
            }

            @Override
            public void written(long bytes) {
                times.written(bytes);
            }
        };
    }

    /// Returns the number of spans by their fate: `sent`, `dropped` because the queue was full, or `failed` because
    /// the collector did not accept them.
    public Map<String, Double> counts() {
        return queue.counts();
    }

    /// Sends what is still queued, but waits only for a short time.
    @Override
    public void close() {
        provider.shutdown().join(LAST.toMillis(), TimeUnit.MILLISECONDS);
    }
}
