package dev.sheaf.engine.blob;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TransferBuffersTest {
    private final TransferBuffers lane = new TransferBuffers();

    @Test
    void aThousandTransfersHoldSixteenMebibytesTogether() {
        long held = Stream.generate(() -> lane.buffer(Long.MAX_VALUE))
                .limit(1_000)
                .mapToLong(buffer -> buffer.bytes().length)
                .sum();

        assertThat(held).isLessThan(16L << 20);
    }

    @Test
    void theNextTransferGetsTheLargeBufferThatAnotherGaveBack() {
        byte[] first;
        try (var buffer = lane.buffer(Long.MAX_VALUE)) {
            first = buffer.bytes();
        }

        try (var buffer = lane.buffer(Long.MAX_VALUE)) {
            assertThat(buffer.bytes()).isSameAs(first).hasSize(TransferBuffers.LARGE);
        }
    }

    @Test
    void aShortTransferTakesNoLargeBuffer() {
        try (var buffer = lane.buffer(TransferBuffers.SMALL)) {
            assertThat(buffer.bytes()).hasSize(TransferBuffers.SMALL);
        }
    }
}
