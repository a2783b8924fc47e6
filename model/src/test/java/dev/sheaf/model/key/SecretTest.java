package dev.sheaf.model.key;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SecretTest {
    @Test
    void doesNotShowItself() {
        var secret = Secret.of("shf_hush");

        assertThat(secret.toString())
                .doesNotContain("hush")
                .isEqualTo(Secret.of("").toString());
        assertThat("%s".formatted(secret)).doesNotContain("hush");
        assertThat(secret.hashCode()).isEqualTo(Secret.of("another").hashCode());
    }

    @Test
    void givesItsTextToWhoeverAsksForIt() {
        assertThat(Secret.of("shf_hush").expose()).isEqualTo("shf_hush");
    }

    @Test
    void equalsByItsText() {
        assertThat(Secret.of("a"))
                .isEqualTo(Secret.of("a"))
                .isNotEqualTo(Secret.of("b"))
                .isNotEqualTo(Secret.of("aa"));
        assertThat(Secret.of("a").equals((Object) "a")).isFalse();
    }
}
