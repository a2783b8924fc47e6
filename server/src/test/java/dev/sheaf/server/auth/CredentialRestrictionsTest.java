package dev.sheaf.server.auth;

import static dev.sheaf.server.testing.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sheaf.model.Gen;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.key.KeyRestrictions;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CredentialRestrictionsTest {
    private static final List<String> NAMESPACES = List.of("a", "b", "ab");
    private static final List<String> SLUGS = List.of("x", "xy", "x-y", "z");
    private static final List<String> PATTERNS =
            List.of("a/*", "a/x*", "a/xy", "a/x", "a/x-*", "b/*", "b/z", "ab/x*", "ab/x-y");
    private static final List<String> CIDRS = List.of("10.0.0.0/8", "10.1.0.0/16", "10.1.2.3", "::/0", "2001:db8::/32");
    private static final List<String> ADDRESSES =
            List.of("10.0.0.1", "10.1.0.1", "10.1.2.3", "11.0.0.1", "2001:db8::1", "::1");

    @Test
    void confinesNothingWhereNothingWasSent() {
        assertThat(CredentialRestrictions.parse(null)).isEqualTo(CredentialRestrictions.NONE);
        assertThat(CredentialRestrictions.parse(new KeyRestrictions(null, null, null))
                        .isNone())
                .isTrue();
        assertThat(CredentialRestrictions.NONE.permit(RepositoryName.parse("any/thing")))
                .isTrue();
        assertThat(CredentialRestrictions.NONE.permit(InetAddress.ofLiteral("10.0.0.1")))
                .isTrue();
        assertThat(CredentialRestrictions.NONE.toWire()).isNull();
    }

    @Test
    void namesEveryEntryThatIsWrong() {
        var wire = new KeyRestrictions(
                List.of("acme", "Acme"), List.of("acme", "acme/a*b", "acme/ok-*"), List.of("localhost"));

        var failed = refusal(Problem.ValidationFailed.class, () -> CredentialRestrictions.parse(wire));

        assertThat(failed.errors())
                .extracting(FieldError::pointer, FieldError::code)
                .containsExactly(
                        tuple("/namespaces/1", "format"),
                        tuple("/bundles/0", "format"),
                        tuple("/bundles/1", "format"),
                        tuple("/cidrs/0", "format"));
    }

    @Test
    void refusesEmptyAndEndlessLists() {
        var wire = new KeyRestrictions(List.of(), Collections.nCopies(101, "a/b"), null);

        var failed = refusal(Problem.ValidationFailed.class, () -> CredentialRestrictions.parse(wire));

        assertThat(failed.errors())
                .extracting(FieldError::pointer, FieldError::code)
                .containsExactly(tuple("/namespaces", "range"), tuple("/bundles", "range"));
    }

    @ParameterizedTest
    @CsvSource({
        "a/x, a/x, true",
        "a/x, a/xy, false",
        "a/x, b/x, false",
        "a/x*, a/x, true",
        "a/x*, a/xy, true",
        "a/x*, a/y, false",
        "a/x*, b/x, false",
        "a/*, a/anything, true",
        "a/*, ab/anything, false",
        "a/x-*, a/x-y, true",
        "a/x-*, a/x, false"
    })
    void permitsBundlesByPattern(String pattern, String name, boolean permitted) {
        var restrictions = CredentialRestrictions.parse(new KeyRestrictions(null, List.of(pattern), null));

        assertThat(restrictions.permit(RepositoryName.parse(name))).isEqualTo(permitted);
    }

    @Test
    void permitsOnlyWhatEveryKindOfRestrictionPermits() {
        var restrictions = CredentialRestrictions.parse(new KeyRestrictions(List.of("a"), List.of("a/x", "b/x"), null));

        assertThat(restrictions.permit(RepositoryName.parse("a/x"))).isTrue();
        assertThat(restrictions.permit(RepositoryName.parse("b/x"))).isFalse();
        assertThat(restrictions.permit(RepositoryName.parse("a/y"))).isFalse();
    }

    /// The star stands for slashes too.
    @Test
    void permitsRepositoriesOfMoreParts() {
        var deep = RepositoryName.parseAny("team/app/image");
        for (String pattern : List.of("team/app*", "team/app/*", "team/app/image", "team/*")) {
            var restrictions = CredentialRestrictions.parse(new KeyRestrictions(null, List.of(pattern), null));

            assertThat(restrictions.permit(deep)).as(pattern).isTrue();
            assertThat(restrictions.permit(RepositoryName.parse("team/app")))
                    .as(pattern)
                    .isEqualTo(!pattern.contains("app/"));
            assertThat(restrictions.permit(RepositoryName.parseAny("team/other/image")))
                    .as(pattern)
                    .isEqualTo(pattern.equals("team/*"));
        }
    }

    /// A key for some bundles must not claim the namespaces of others.
    @Test
    void permitsOnlyTheNamespacesOfItsBundles() {
        var restrictions = CredentialRestrictions.parse(new KeyRestrictions(null, List.of("a/x", "b/*"), null));

        assertThat(restrictions.permit(new Namespace("a"))).isTrue();
        assertThat(restrictions.permit(new Namespace("b"))).isTrue();
        assertThat(restrictions.permit(new Namespace("c"))).isFalse();
    }

    @Test
    void permitsNothingWiderThanWhatCoversIt() {
        int[] covering = {0};

        Gen.forAll(20_000, gen -> {
            var wider = restrictions(gen);
            var narrower = restrictions(gen);
            if (wider.cover(narrower)) {
                covering[0]++;
                for (String namespace : NAMESPACES) {
                    if (narrower.permit(new Namespace(namespace))) {
                        assertThat(wider.permit(new Namespace(namespace))).isTrue();
                    }
                    for (String slug : SLUGS) {
                        var name = RepositoryName.parse(namespace + "/" + slug);
                        assertThat(wider.permit(name) || !narrower.permit(name))
                                .as("%s covers %s but not %s", wider, narrower, name)
                                .isTrue();
                    }
                }
                for (String literal : ADDRESSES) {
                    var address = InetAddress.ofLiteral(literal);
                    assertThat(wider.permit(address) || !narrower.permit(address))
                            .as("%s covers %s but not %s", wider, narrower, address)
                            .isTrue();
                }
            }
        });

        assertThat(covering[0])
                .as("cases in which there was something to check")
                .isGreaterThan(500);
    }

    @Test
    void coversItselfAndNothingIsWiderThanNone() {
        Gen.forAll(500, gen -> {
            var restrictions = restrictions(gen);

            assertThat(restrictions.cover(restrictions)).isTrue();
            assertThat(CredentialRestrictions.NONE.cover(restrictions)).isTrue();
            assertThat(restrictions.cover(CredentialRestrictions.NONE)).isEqualTo(restrictions.isNone());
        });
    }

    @Test
    void survivesTheWayThroughItsRowAndItsWireForm() {
        Gen.forAll(1_000, gen -> {
            var restrictions = restrictions(gen);

            assertThat(CredentialRestrictions.decode(restrictions.encode())).isEqualTo(restrictions);
            assertThat(CredentialRestrictions.parse(restrictions.toWire())).isEqualTo(restrictions);
        });
    }

    private static CredentialRestrictions restrictions(Gen gen) {
        return CredentialRestrictions.parse(
                new KeyRestrictions(some(gen, NAMESPACES), some(gen, PATTERNS), some(gen, CIDRS)));
    }

    private static @Nullable List<String> some(Gen gen, List<String> choices) {
        if (gen.chance(0.5)) {
            return null;
        }
        var chosen = new ArrayList<String>();
        for (int i = gen.number(1, 3); i > 0; i--) {
            chosen.add(gen.of(choices));
        }
        return chosen;
    }
}
