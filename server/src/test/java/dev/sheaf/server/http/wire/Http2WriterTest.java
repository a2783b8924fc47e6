package dev.sheaf.server.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;
import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class Http2WriterTest {
    private static final String FRAME_SIZE = "000500004000";

    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final Http2Writer writer =
            new Http2Writer(new Sent(sent), new FrameGuard(() -> null, System::nanoTime, stream -> {}));

    @Test
    void announcesHalfOfTheStreams() {
        writer.writeNow(bytes("00000c" + "0400" + "00000000"), bytes(FRAME_SIZE + "0003000000c8"));

        assertThat(text()).isEqualTo("00000c" + "0400" + "00000000" + FRAME_SIZE + "000300000064");
    }

    @Test
    void changesNothingAfterThat() {
        writer.writeNow(bytes("000000" + "0400" + "00000000"));
        sent.reset();

        writer.write(bytes("000006" + "0400" + "00000000"), bytes("0003000000c8"));

        assertThat(text()).isEqualTo("000006" + "0400" + "00000000" + "0003000000c8");
    }

    @Test
    void leavesOtherFramesAlone() {
        writer.write(bytes("000006" + "0000" + "00000001" + "0003000000c8"));

        assertThat(text()).isEqualTo("000006" + "0000" + "00000001" + "0003000000c8");
    }

    private static BufferData bytes(String hex) {
        return BufferData.create(HexFormat.of().parseHex(hex));
    }

    private String text() {
        return HexFormat.of().formatHex(sent.toByteArray());
    }

    private record Sent(ByteArrayOutputStream to) implements DataWriter {
        @Override
        public void write(BufferData... buffers) {
            for (BufferData buffer : buffers) {
                write(buffer);
            }
        }

        @Override
        public void write(BufferData buffer) {
            to.writeBytes(buffer.readBytes());
        }

        @Override
        public void writeNow(BufferData... buffers) {
            write(buffers);
        }

        @Override
        public void writeNow(BufferData buffer) {
            write(buffer);
        }

        @Override
        public void flush() {}
    }
}
