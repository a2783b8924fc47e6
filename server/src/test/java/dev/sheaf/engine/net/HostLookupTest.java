package dev.sheaf.engine.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Name servers that do not answer.
@Timeout(30)
class HostLookupTest {
    private static final InetAddress FOUND = InetAddress.ofLiteral("192.0.2.1");

    @Test
    void nobodysDeadNameServersHoldUpOthers() throws Exception {
        var busy = new CountDownLatch(8);
        var end = new CountDownLatch(1);
        var lookup = new HostLookup(host -> {
            if (host.startsWith("dead")) {
                busy.countDown();
                await(end);
            }
            return new InetAddress[] {FOUND};
        });
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting = new ArrayList<Future<List<InetAddress>>>();
            for (int i = 0; i < 8; i++) {
                String host = "dead-" + i;
                waiting.add(threads.submit(() -> lookup.find(host, "one")));
            }
            busy.await();

            assertThatThrownBy(() -> lookup.find("hooks.example.org", "one"))
                    .isInstanceOf(UnknownHostException.class)
                    .hasMessageContaining("too many lookups of this organization");
            assertThat(lookup.find("hooks.example.org", "another")).containsExactly(FOUND);
            assertThat(lookup.find("issuer.example.org", OutgoingClient.Call.OPERATOR))
                    .containsExactly(FOUND);

            end.countDown();
            for (var each : waiting) {
                assertThat(each.get()).containsExactly(FOUND);
            }
            assertThat(lookup.find("hooks.example.org", "one")).containsExactly(FOUND);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
