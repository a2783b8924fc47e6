package dev.sheaf.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Subscribers know events by these names: a record may be added and none renamed.
class EventNamesTest {
    private static final List<String> KNOWN = """
            access_token.leaked
            api_key.created
            api_key.expired
            api_key.expiring
            api_key.leaked
            api_key.revoked
            api_key.rotated
            api_key.updated
            blob.damaged
            blob.healed
            bundle.created
            bundle.deleted
            bundle.deprecated
            bundle.restored
            bundle.undeprecated
            bundle.updated
            invitation.created
            key_policy.changed
            manifest.damaged
            manifest.deleted
            manifest.healed
            member.changed
            member.joined
            member.removed
            namespace.claimed
            organization.created
            organization.updated
            tag.deleted
            tag.moved
            tag.unpinned
            transfer.offered
            trusted_publisher.created
            trusted_publisher.deleted
            user_totp.changed
            version.deleted
            version.deprecated
            version.published
            version.undeprecated
            version.unyanked
            version.yanked
            transfer.ended
            """.lines().toList();

    @Test
    void areWhatSubscribersKnow() {
        assertThat(records(Event.class).map(Class::getSimpleName).map(EventNames::of))
                .containsExactlyInAnyOrderElementsOf(KNOWN);
    }

    private static Stream<Class<?>> records(Class<?> type) {
        return type.isRecord()
                ? Stream.of(type)
                : Arrays.stream(type.getPermittedSubclasses()).flatMap(EventNamesTest::records);
    }
}
