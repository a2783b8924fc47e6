package dev.sheaf.server.rate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.net.RateHolder;
import dev.sheaf.server.rate.RateLimits.Kind;
import java.net.InetAddress;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RatesTest {
    private final AtomicLong nanos = new AtomicLong(-5);
    private final RateHolder key = new RateHolder.Credential(new UUID(1, 2));

    @Test
    void grantsTheQuotaAndThenWhatComesBack() {
        var rates = rates();

        for (int i = 1; i <= 60; i++) {
            assertThat(rates.take(Kind.READS, key).orElseThrow())
                    .isEqualTo(new RateStanding(new RatePolicy("reads", 60), true, 60 - i, 0));
        }
        var refused = rates.take(Kind.READS, key).orElseThrow();
        assertThat(refused).isEqualTo(new RateStanding(new RatePolicy("reads", 60), false, 0, 1));
        assertThat(refused.field()).isEqualTo("\"reads\";r=0;t=60");
        assertThat(refused.policy().field()).isEqualTo("\"reads\";q=60;w=60");

        nanos.addAndGet(Duration.ofMillis(2_500).toNanos());

        assertThat(rates.take(Kind.READS, key).orElseThrow().remaining()).isEqualTo(1);
        assertThat(rates.take(Kind.READS, key).orElseThrow().granted()).isTrue();
        assertThat(rates.take(Kind.READS, key).orElseThrow().granted()).isFalse();
        assertThat(rates.refused()).containsEntry("reads", 2.0).containsEntry("writes", 0.0);
    }

    @Test
    void waitsAsLongAsTheNextOneTakes() {
        var rates = rates();
        for (int i = 0; i < 6; i++) {
            rates.take(Kind.FAILED_AUTHENTICATIONS, key);
        }

        assertThat(rates.take(Kind.FAILED_AUTHENTICATIONS, key).orElseThrow().waitSeconds())
                .isEqualTo(10);
    }

    @Test
    void tellsTheSameWaitWithoutTakingAnything() {
        var rates = rates();
        for (int i = 0; i < 6; i++) {
            rates.take(Kind.FAILED_AUTHENTICATIONS, key);
        }

        for (int i = 0; i < 3; i++) {
            assertThat(rates.standing(Kind.FAILED_AUTHENTICATIONS, key))
                    .hasValue(new RateStanding(new RatePolicy("failed-authentications", 6), false, 0, 10));
        }
    }

    /// Whoever has more addresses than there are buckets makes others forgotten, not the memory full.
    @Test
    void keepsAtMostAHundredThousandBuckets() {
        var limiter = new RateLimiter(new RatePolicy("reads", 60), nanos::get);
        for (int i = 0; i < 150_000; i++) {
            limiter.take(new RateHolder.Credential(new UUID(0, i)), 1);
        }

        assertThat(limiter.size()).isBetween(1_000L, 100_000L);
    }

    @Test
    void countsEachHolderAndEachKindByItself() {
        var rates = rates();
        for (int i = 0; i < 61; i++) {
            rates.take(Kind.READS, key);
        }

        assertThat(rates.standing(Kind.READS, key).orElseThrow().remaining()).isZero();
        assertThat(rates.standing(Kind.WRITES, key).orElseThrow().remaining()).isEqualTo(30);
        assertThat(rates.take(Kind.READS, new RateHolder.Credential(new UUID(1, 3)))
                        .orElseThrow()
                        .granted())
                .isTrue();
    }

    @Test
    void smallRequestsCountForATenth() {
        var rates = rates();
        for (int i = 0; i < 59; i++) {
            rates.take(Kind.READS, key);
        }

        for (int i = 0; i < 10; i++) {
            assertThat(rates.take(Kind.READS, key, 0.1).orElseThrow().granted()).isTrue();
        }
        assertThat(rates.take(Kind.READS, key, 0.1).orElseThrow().granted()).isFalse();

        nanos.addAndGet(Duration.ofMillis(150).toNanos());

        assertThat(rates.take(Kind.READS, key).orElseThrow().waitSeconds()).isEqualTo(1);
        assertThat(rates.take(Kind.READS, key, 0.1).orElseThrow().granted()).isTrue();
    }

    @Test
    void zeroIsNoLimit() {
        assertThat(new RateLimits(RateLimits.Quotas.OFF).take(Kind.READS, key)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "198.51.100.7,        198.51.100.7,        true",
        "198.51.100.7,        198.51.100.8,        false",
        "198.51.100.7,        ::ffff:198.51.100.7, true",
        "2001:db8:1:2::1,     2001:db8:1:2:a:b:c:d, true",
        "2001:db8:1:2::1,     2001:db8:1:3::1,     false",
        "255.255.255.255,     ::1,                 false"
    })
    void countsByNetwork(String one, String other, boolean same) {
        var first = RateHolder.of(InetAddress.ofLiteral(one));

        assertThat(first.equals(RateHolder.of(InetAddress.ofLiteral(other)))).isEqualTo(same);
    }

    @Test
    void grantsOneShareOfSeveralButAtLeastOneRequest() {
        var rates = rates();

        rates.share(7);

        assertThat(rates.policy(Kind.READS)).isEqualTo(new RatePolicy("reads", 8));
        assertThat(rates.policy(Kind.FAILED_AUTHENTICATIONS).quota()).isEqualTo(1);
        assertThat(rates.quota(Kind.READS)).isEqualTo(60);
        assertThat(rates.take(Kind.READS, key).orElseThrow().remaining()).isEqualTo(7);
    }

    @Test
    void keepsCountsWhileSharesAndQuotasStay() {
        var rates = rates();
        rates.share(2);
        rates.take(Kind.READS, key);
        rates.take(Kind.WRITES, key);

        rates.share(2);
        rates.change(new RateLimits.Quotas(10, 60, 32, 100, 50, 6));

        assertThat(rates.standing(Kind.READS, key).orElseThrow().remaining()).isEqualTo(29);
        assertThat(rates.standing(Kind.WRITES, key).orElseThrow().remaining()).isEqualTo(16);
    }

    @Test
    void noLimitHasNoShare() {
        var rates = new RateLimits(RateLimits.Quotas.OFF);

        rates.share(3);

        assertThat(rates.take(Kind.READS, key)).isEmpty();
    }

    @Test
    void aWindowMayBeADay() {
        var limiter = new RateLimiter(
                new RatePolicy("replays", 1_000, Duration.ofDays(1).toSeconds()), nanos::get);

        assertThat(limiter.take(key, 900).waitSeconds()).isZero();

        assertThat(limiter.take(key, 200).waitSeconds())
                .as("until a hundred more")
                .isEqualTo(8_640);
        assertThat(limiter.take(key, 100).granted())
                .as("what was refused is not taken")
                .isTrue();
        assertThat(limiter.take(new RateHolder.Credential(new UUID(0, 2)), 1_000)
                        .granted())
                .as("another's")
                .isTrue();
        nanos.addAndGet(Duration.ofDays(1).toNanos());
        assertThat(limiter.take(key, 1_000).granted()).isTrue();
    }

    private RateLimits rates() {
        return new RateLimits(new RateLimits.Quotas(10, 60, 30, 100, 50, 6), nanos::get);
    }
}
