package dev.sheaf.server.auth;

import static dev.sheaf.server.testing.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.key.KeyRestrictions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Contract 1.4, as a table.
class AccessTest {
    private static final UUID OURS = new UUID(0, 1);
    private static final UUID THEIRS = new UUID(0, 2);
    private static final RepositoryName NAME = RepositoryName.parse("acme/kit");

    private record Bundle(RepositoryName name, UUID organizationId, Visibility visibility) implements Access.Target {}

    enum Who {
        ANONYMOUS(Caller.ANONYMOUS),
        STRANGER(key(THEIRS, Scope.ADMIN, null, Grant.ALL)),
        READER(key(OURS, Scope.READ, null, Grant.ALL)),
        WRITER(key(OURS, Scope.WRITE, null, Grant.ALL)),
        ADMIN(key(OURS, Scope.ADMIN, null, Grant.ALL)),
        RESTRICTED_TO_IT(key(OURS, Scope.WRITE, "acme/k*", Grant.ALL)),
        RESTRICTED_TO_OTHERS(key(OURS, Scope.WRITE, "acme/other", Grant.ALL)),
        PULL_TOKEN(key(OURS, Scope.WRITE, null, grant(Grant.Action.PULL))),
        PUSH_TOKEN(key(OURS, Scope.WRITE, null, grant(Grant.Action.PULL, Grant.Action.PUSH))),
        DELETE_TOKEN(key(OURS, Scope.WRITE, null, grant(Grant.Action.PULL, Grant.Action.DELETE))),
        EMPTY_TOKEN(key(OURS, Scope.WRITE, null, new Grant.Limited(Map.of()))),
        RESTRICTED_ADMIN(key(OURS, Scope.ADMIN, "acme/k*", Grant.ALL)),
        ADMIN_TOKEN(key(OURS, Scope.ADMIN, null, grant(Grant.Action.PULL)));

        final Caller caller;

        Who(Caller caller) {
            this.caller = caller;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "STRANGER, NotAdministrator",
        "READER, ScopeMissing",
        "WRITER, ScopeMissing",
        "ADMIN, ok",
        "RESTRICTED_ADMIN, NotAdministrator",
        "ADMIN_TOKEN, NotAdministrator"
    })
    void administers(Who who, String expected) {
        assertThat(outcome(() -> {
                    Access.administrator((Caller.Known) who.caller, OURS);
                    return who;
                }))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        // who,               missing,         private,         public
        "ANONYMOUS,            Unauthenticated, Unauthenticated, ok",
        "STRANGER,             BundleNotFound,  BundleNotFound,  ok",
        "READER,               BundleNotFound,  ok,              ok",
        "WRITER,               BundleNotFound,  ok,              ok",
        "ADMIN,                BundleNotFound,  ok,              ok",
        "RESTRICTED_TO_IT,     BundleNotFound,  ok,              ok",
        "RESTRICTED_TO_OTHERS, BundleNotFound,  BundleNotFound,  ok",
        "PULL_TOKEN,           BundleNotFound,  ok,              ok",
        "PUSH_TOKEN,           BundleNotFound,  ok,              ok",
        "DELETE_TOKEN,         BundleNotFound,  ok,              ok",
        "EMPTY_TOKEN,          BundleNotFound,  BundleNotFound,  ok"
    })
    void reads(Who who, String missing, String hidden, String open) {
        assertThat(outcome(() -> Access.read(who.caller, NAME, null))).isEqualTo(missing);
        assertThat(outcome(() -> Access.read(who.caller, NAME, bundle(Visibility.PRIVATE))))
                .isEqualTo(hidden);
        assertThat(outcome(() -> Access.read(who.caller, NAME, bundle(Visibility.PUBLIC))))
                .isEqualTo(open);
    }

    @ParameterizedTest
    @CsvSource({
        // who,               missing,         private,         public
        "ANONYMOUS,            Unauthenticated, Unauthenticated, Unauthenticated",
        "STRANGER,             BundleNotFound,  BundleNotFound,  NotOwner",
        "READER,               BundleNotFound,  ScopeMissing,    ScopeMissing",
        "WRITER,               BundleNotFound,  ok,              ok",
        "ADMIN,                BundleNotFound,  ok,              ok",
        "RESTRICTED_TO_IT,     BundleNotFound,  ok,              ok",
        "RESTRICTED_TO_OTHERS, BundleNotFound,  BundleNotFound,  NotOwner",
        "PULL_TOKEN,           BundleNotFound,  GrantMissing,    GrantMissing",
        "PUSH_TOKEN,           BundleNotFound,  ok,              ok",
        "DELETE_TOKEN,         BundleNotFound,  GrantMissing,    GrantMissing",
        "EMPTY_TOKEN,          BundleNotFound,  BundleNotFound,  GrantMissing"
    })
    void writes(Who who, String missing, String hidden, String open) {
        assertThat(outcome(() -> Access.write(who.caller, NAME, null))).isEqualTo(missing);
        assertThat(outcome(() -> Access.write(who.caller, NAME, bundle(Visibility.PRIVATE))))
                .isEqualTo(hidden);
        assertThat(outcome(() -> Access.write(who.caller, NAME, bundle(Visibility.PUBLIC))))
                .isEqualTo(open);
    }

    @ParameterizedTest
    @CsvSource({
        // who,               missing,         private,         public
        "ANONYMOUS,            Unauthenticated, Unauthenticated, Unauthenticated",
        "STRANGER,             BundleNotFound,  BundleNotFound,  NotOwner",
        "READER,               BundleNotFound,  ScopeMissing,    ScopeMissing",
        "WRITER,               BundleNotFound,  ok,              ok",
        "ADMIN,                BundleNotFound,  ok,              ok",
        "RESTRICTED_TO_IT,     BundleNotFound,  ok,              ok",
        "RESTRICTED_TO_OTHERS, BundleNotFound,  BundleNotFound,  NotOwner",
        "PULL_TOKEN,           BundleNotFound,  GrantMissing,    GrantMissing",
        "PUSH_TOKEN,           BundleNotFound,  GrantMissing,    GrantMissing",
        "DELETE_TOKEN,         BundleNotFound,  ok,              ok",
        "EMPTY_TOKEN,          BundleNotFound,  BundleNotFound,  GrantMissing"
    })
    void deletes(Who who, String missing, String hidden, String open) {
        assertThat(outcome(() -> Access.delete(who.caller, NAME, null))).isEqualTo(missing);
        assertThat(outcome(() -> Access.delete(who.caller, NAME, bundle(Visibility.PRIVATE))))
                .isEqualTo(hidden);
        assertThat(outcome(() -> Access.delete(who.caller, NAME, bundle(Visibility.PUBLIC))))
                .isEqualTo(open);
    }

    @ParameterizedTest
    @EnumSource
    void saysBeforehandWhatItWouldAllow(Who who) {
        for (var visibility : Visibility.values()) {
            var target = bundle(visibility);

            assertThat(Access.mayRead(who.caller, target))
                    .isEqualTo(
                            outcome(() -> Access.read(who.caller, NAME, target)).equals("ok"));
            assertThat(Access.mayWrite(who.caller, target))
                    .isEqualTo(outcome(() -> Access.write(who.caller, NAME, target))
                            .equals("ok"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ANONYMOUS", "STRANGER", "RESTRICTED_TO_OTHERS", "EMPTY_TOKEN"})
    void tellsNobodyWhetherWhatHeMayNotSeeIsThere(Who who) {
        var missing = refusal(() -> Access.read(who.caller, NAME, null));

        var hidden = refusal(() -> Access.read(who.caller, NAME, bundle(Visibility.PRIVATE)));

        assertThat(hidden).isEqualTo(missing);
        assertThat(hidden.detail()).contains("acme/kit", "does not exist", "or");
    }

    @ParameterizedTest
    @EnumSource
    void listsWhatItWouldShow(Who who) {
        var target = bundle(Visibility.PRIVATE);

        boolean shown = outcome(() -> Access.read(who.caller, NAME, target)).equals("ok");

        assertThat(Access.lists(who.caller, target)).isEqualTo(shown);
    }

    @Test
    void saysWhetherAnotherOrganizationOrTheRestrictionsOfTheKeyRefuse() {
        var open = bundle(Visibility.PUBLIC);

        assertThat(refusal(() -> Access.write(Who.STRANGER.caller, NAME, open)).detail())
                .startsWith("bundle acme/kit belongs to another organization");
        assertThat(refusal(() -> Access.write(Who.RESTRICTED_TO_OTHERS.caller, NAME, open))
                        .detail())
                .isEqualTo("bundle acme/kit is outside the restrictions of this credential; use one that may change"
                        + " it");
    }

    private interface Check {
        Object run();
    }

    private static String outcome(Check check) {
        try {
            check.run();
            return "ok";
        } catch (ProblemException e) {
            return e.problem().kind();
        }
    }

    private static Bundle bundle(Visibility visibility) {
        return new Bundle(NAME, OURS, visibility);
    }

    private static Caller key(UUID organization, Scope scope, @Nullable String bundle, Grant grant) {
        var restrictions =
                CredentialRestrictions.parse(bundle == null ? null : new KeyRestrictions(null, List.of(bundle), null));
        return new Caller.Known(
                new Credential.Key(new UUID(0, 9), "key", "shf_…1234", null),
                organization,
                scope,
                restrictions,
                grant,
                null);
    }

    private static Grant grant(Grant.Action... actions) {
        return new Grant.Limited(Map.of(NAME.toString(), Set.of(actions)));
    }
}
