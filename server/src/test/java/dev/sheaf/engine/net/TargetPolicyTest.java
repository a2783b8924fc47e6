package dev.sheaf.engine.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetPolicyTest {
    /// A port that there is none of would break the work of whoever calls.
    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:0/", "http://127.0.0.1:65536/", "https://hooks.example.org:70000/"})
    void portsThatThereAreNoneOfAreRefusedWhereAllElseIsAllowed(String address) {
        assertThat(TargetPolicy.objection(URI.create(address), new AllowedTargets(true, true)))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://hooks.example.org",
                "https://hooks.example.org:443/a?b=c",
                "https://hooks.example.org:8443/",
                "https://1.1.1.1/",
                "https://[2606:4700:4700::1111]/",
                "https://4chan.example/",
                "https://a.0x.example/",
                "https://xn--bcher-kva.example/"
            })
    void whatIsOfThePublicInternetIsCalled(String address) {
        assertThat(TargetPolicy.objection(URI.create(address), AllowedTargets.PUBLIC))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://hooks.example.org/",
                "ftp://hooks.example.org/",
                "file:///etc/passwd",
                "https:///path",
                "https:opaque",
                "//hooks.example.org/",
                "https://user@hooks.example.org/",
                "https://user:secret@hooks.example.org/",
                "https://hooks.example.org@127.0.0.1/",
                "https://hooks.example.org/#part",
                "https://hooks.example.org:0/",
                "https://hooks.example.org:22/",
                "https://hooks.example.org:25/",
                "https://hooks.example.org:6379/",
                "https://hooks.example.org:11211/",
                "https://127.0.0.1/",
                "https://127.1/",
                "https://127.0.1/",
                "https://2130706433/",
                "https://0x7f000001/",
                "https://0x7f.1/",
                "https://0177.0.0.1/",
                "https://017700000001/",
                "https://127.0.0.1./",
                "https://0/",
                "https://0.0.0.0/",
                "https://10.1.2.3/",
                "https://100.100.100.200/",
                "https://169.254.169.254/latest/meta-data/",
                "https://168.63.129.16/",
                "https://192.168.0.1/",
                "https://[::]/",
                "https://[::1]/",
                "https://[0:0:0:0:0:0:0:1]/",
                "https://[::ffff:127.0.0.1]/",
                "https://[::ffff:7f00:1]/",
                "https://[::127.0.0.1]/",
                "https://[64:ff9b::127.0.0.1]/",
                "https://[64:ff9b::a9fe:a9fe]/",
                "https://[64:ff9b:1::1]/",
                "https://[2002:7f00:1::]/",
                "https://[2001::1]/",
                "https://[fc00::1]/",
                "https://[fd00:ec2::254]/",
                "https://[fe80::1]/",
                "https://[fec0::1]/",
                "https://[ff02::1]/"
            })
    void allElseIsRefused(String address) {
        assertThat(TargetPolicy.objection(URI.create(address), AllowedTargets.PUBLIC))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:8080/", "https://10.0.0.7/", "http://keycloak:8080/realms/x"})
    void theOperatorsOwnAreCalledWhereverTheyAre(String address) {
        assertThat(TargetPolicy.objection(URI.create(address), AllowedTargets.OPERATOR))
                .isEmpty();
    }

    @Test
    void whatIsBehindNat64Counts() throws Exception {
        assertThat(PublicAddresses.contains(InetAddress.getByName("64:ff9b::1.1.1.1")))
                .isTrue();
        assertThat(PublicAddresses.contains(InetAddress.getByName("64:ff9b::10.0.0.1")))
                .isFalse();
    }
}
