package dev.sheaf.server.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StreamThreadsTest {
    @Test
    void aConnectionPutsFewStreamsAtATimeBeforeThoseOfOthers() throws Exception {
        var line = new LinkedBlockingQueue<Runnable>();
        try (var processor = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, line)) {
            var held = new CountDownLatch(1);
            processor.execute(() -> {
                try {
                    held.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            var many = new Http2Wire.StreamThreads(processor);
            var order = Collections.synchronizedList(new ArrayList<Integer>());
            IntStream.range(0, 10).forEach(i -> many.execute(() -> order.add(i)));
            assertThat(line).hasSize(Http2Wire.StreamThreads.AT_ONCE);
            new Http2Wire.StreamThreads(processor).execute(() -> order.add(-1));

            held.countDown();
            var all = IntStream.range(0, 10).boxed().toList();
            Eventually.within(Duration.ofSeconds(60), () -> order.size() == all.size() + 1);

            assertThat(order.indexOf(-1)).isEqualTo(Http2Wire.StreamThreads.AT_ONCE);
            assertThat(order).filteredOn(i -> i >= 0).isEqualTo(all);
        }
    }
}
