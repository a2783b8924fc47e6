package dev.sheaf.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
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
            bundle.listed
            bundle.restored
            bundle.undeprecated
            bundle.updated
            bundle.withdrawn
            dependency.affected
            invitation.created
            job.cancelled
            job.completed
            job.dead
            job.failed
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
            policy.changed
            tag.deleted
            tag.moved
            tag.unpinned
            transfer.accepted
            transfer.cancelled
            transfer.declined
            transfer.offered
            trusted_publisher.created
            trusted_publisher.deleted
            user.totp_disabled
            user.totp_enabled
            version.approved
            version.deleted
            version.deprecated
            version.expired
            version.expiring
            version.held
            version.published
            version.recalled
            version.rejected
            version.scanned
            version.undeprecated
            version.unrecalled
            version.unyanked
            version.withdrawn
            version.yanked
            webhook.created
            webhook.deleted
            webhook.disabled
            webhook.updated
            """.lines().toList();

    @Test
    void areWhatSubscribersKnow() {
        assertThat(records(Event.class).distinct().flatMap(EventNamesTest::sent))
                .containsExactlyInAnyOrderElementsOf(KNOWN);
    }

    private static Stream<Class<?>> records(Class<?> type) {
        return type.isRecord()
                ? Stream.of(type)
                : Arrays.stream(type.getPermittedSubclasses()).flatMap(EventNamesTest::records);
    }

    /// The names under which events of a record are sent, with every value that a name may depend on.
    private static Stream<String> sent(Class<?> type) {
        var values = List.of(List.of());
        for (var component : type.getRecordComponents()) {
            values = values.stream()
                    .flatMap(before -> samples(type, component)
                            .map(value -> Stream.concat(before.stream(), Stream.of(value))
                                    .toList()))
                    .toList();
        }
        return values.stream().map(of -> made(type, of).type()).distinct();
    }

    private static Stream<?> samples(Class<?> record, RecordComponent component) {
        var type = component.getType();
        if (type == boolean.class) {
            return Stream.of(true, false);
        }
        if (record == Event.TransferEnded.class && component.getName().equals("outcome")) {
            return Event.TransferEnded.OUTCOMES.stream();
        }
        if (record == JobEnded.class && component.getName().equals("outcome")) {
            return JobEnded.OUTCOMES.stream();
        }
        return Stream.of(
                type == String.class
                        ? "text"
                        : type == UUID.class
                                ? new UUID(0, 0)
                                : type == List.class ? List.of() : type == Instant.class ? Instant.EPOCH : 1);
    }

    private static Event made(Class<?> type, List<?> values) {
        try {
            var types = Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            return (Event) type.getDeclaredConstructor(types).newInstance(values.toArray());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type.getSimpleName(), e);
        }
    }
}
