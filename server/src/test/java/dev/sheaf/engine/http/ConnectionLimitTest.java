package dev.sheaf.engine.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.http.ConnectionLimit.Slot;
import dev.sheaf.engine.net.Cidr;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionLimitTest {
    private static final InetAddress ONE = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress OTHER = InetAddress.ofLiteral("192.0.2.2");
    private static final InetAddress PROXY = InetAddress.ofLiteral("10.0.0.1");

    private final ConnectionLimit room = new ConnectionLimit(10, 4, List.of(Cidr.parse("10.0.0.0/8")));

    @Test
    void anAddressHasItsShare() {
        enter(ONE, 4, Slot.FULL);

        assertThat(room.enter(ONE)).isEqualTo(Slot.SPARE);
        assertThat(room.enter(OTHER)).isEqualTo(Slot.FULL);
    }

    @Test
    void anIpv6NetworkIsOneAddress() {
        for (int i = 1; i <= 4; i++) {
            assertThat(room.enter(InetAddress.ofLiteral("2001:db8::" + i))).isEqualTo(Slot.FULL);
        }

        assertThat(room.enter(InetAddress.ofLiteral("2001:db8::ffff:1"))).isEqualTo(Slot.SPARE);
        assertThat(room.enter(InetAddress.ofLiteral("2001:db8:0:1::1"))).isEqualTo(Slot.FULL);
    }

    @Test
    void aTrustedProxyHasAll() {
        enter(PROXY, 10, Slot.FULL);

        assertThat(room.enter(ONE)).as("all together have no more").isEqualTo(Slot.SPARE);
    }

    @Test
    void theSpareRoomIsSharedOut() {
        enter(ONE, 4, Slot.FULL);
        enter(ONE, ConnectionLimit.SPARE_EACH, Slot.SPARE);

        assertThat(room.enter(ONE)).isEqualTo(Slot.NONE);
        enter(PROXY, 6, Slot.FULL);
        for (int i = 3; i < 3 + ConnectionLimit.SPARE / ConnectionLimit.SPARE_EACH - 1; i++) {
            enter(InetAddress.ofLiteral("192.0.2." + i), ConnectionLimit.SPARE_EACH, Slot.SPARE);
        }
        assertThat(room.enter(OTHER)).as("none is left").isEqualTo(Slot.NONE);
    }

    @Test
    void placesComeBack() {
        for (int i = 0; i < 100; i++) {
            enter(ONE, 4, Slot.FULL);
            assertThat(room.enter(ONE)).isEqualTo(Slot.SPARE);
            room.leave(ONE, Slot.SPARE);
            for (int j = 0; j < 4; j++) {
                room.leave(ONE, Slot.FULL);
            }
        }
    }

    private void enter(InetAddress address, int times, Slot expected) {
        for (int i = 0; i < times; i++) {
            assertThat(room.enter(address)).isEqualTo(expected);
        }
    }
}
