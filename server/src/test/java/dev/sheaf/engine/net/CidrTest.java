package dev.sheaf.engine.net;

import static dev.sheaf.server.testing.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Gen;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.0.0.0/8",
        "192.168.1.7, 192.168.1.7/32",
        "0.0.0.0/0, 0.0.0.0/0",
        "10.128.0.0/9, 10.128.0.0/9",
        "2001:db8::/32, 2001:db8:0:0:0:0:0:0/32",
        "::1, 0:0:0:0:0:0:0:1/128",
        "::/0, 0:0:0:0:0:0:0:0/0"
    })
    void readsBlocksAndSingleAddresses(String text, String spelled) {
        var cidr = Cidr.parse(text);

        assertThat(cidr).hasToString(spelled);
        assertThat(Cidr.parse(spelled)).isEqualTo(cidr);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/8",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/+8",
                "10.0.0.0/a",
                "10.0.0.1/8",
                "::1/64",
                "2001:db8::/129",
                "10.0.0.0/8/8",
                " 10.0.0.0/8",
                "10.0.0.0 /8",
                "256.0.0.0/8",
                "localhost",
                "localhost/32",
                "example.org",
                "10",
                "10.1",
                "10.1.2/24",
                "[::1]/128",
                "fe80::1%lo/128",
                "10.0.0.0/٨"
            })
    void refusesEverythingElseWithoutLookingItUp(String text) {
        assertThat(refusal(() -> Cidr.parse(text)).detail()).contains("is not an address block");
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.255.255, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "10.128.0.0/9, 10.127.255.255, false",
        "10.128.0.0/9, 10.128.0.0, true",
        "192.168.1.7/32, 192.168.1.7, true",
        "192.168.1.7/32, 192.168.1.6, false",
        "0.0.0.0/0, 255.1.2.3, true",
        "0.0.0.0/0, ::1, false",
        "::/0, 10.0.0.1, false",
        "2001:db8::/32, 2001:db8:ffff::1, true",
        "2001:db8::/32, 2001:db9::, false",
        "10.0.0.0/8, ::ffff:10.1.2.3, true"
    })
    void containsTheAddressesOfItsPrefix(String block, String address, boolean contained) {
        assertThat(Cidr.parse(block).contains(InetAddress.ofLiteral(address))).isEqualTo(contained);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.0.0.0/8, true",
        "10.0.0.0/8, 10.1.0.0/16, true",
        "10.1.0.0/16, 10.0.0.0/8, false",
        "10.0.0.0/8, 11.0.0.0/16, false",
        "0.0.0.0/0, ::/0, false",
        "::/0, 2001:db8::/32, true"
    })
    void coversNarrowerBlocks(String wider, String narrower, boolean covered) {
        assertThat(Cidr.parse(wider).covers(Cidr.parse(narrower))).isEqualTo(covered);
    }

    @Test
    void agreesWithArithmetic() {
        Gen.forAll(2_000, gen -> {
            int prefix = gen.number(0, 32);
            long network = gen.number(Integer.MIN_VALUE, Integer.MAX_VALUE - 1) & -(1L << (32 - prefix)) & 0xFFFFFFFFL;
            long address = gen.chance(0.5)
                    ? network ^ (1L << gen.number(0, 31))
                    : gen.number(Integer.MIN_VALUE, Integer.MAX_VALUE - 1) & 0xFFFFFFFFL;

            boolean contained =
                    Cidr.parse(v4(network).getHostAddress() + "/" + prefix).contains(v4(address));

            assertThat(contained).isEqualTo(address >= network && address < network + (1L << (32 - prefix)));
        });
    }

    private static InetAddress v4(long bits) {
        byte[] bytes = BigInteger.valueOf(bits | 1L << 40).toByteArray();
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, bytes.length - 4, bytes.length));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
