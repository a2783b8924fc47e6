package dev.sheaf.client.credentials;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.credentials.TokenEndpoint.Outcome;
import dev.sheaf.client.http.Failures;
import dev.sheaf.client.http.Transport;
import dev.sheaf.client.io.Json;
import dev.sheaf.client.io.Threads;
import dev.sheaf.client.network.NetworkSettings;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Begins a session for somebody who signs in with a browser, here or on another machine (RFC 8628). One use, one
/// thread.
public final class DeviceLogin implements AutoCloseable {
    private static final Duration SLOWER = Duration.ofSeconds(5); // RFC 8628, sections 3.2 and 3.5
    private static final long LONGEST_INTERVAL = 60; // seconds
    private static final String UNREACHED = " "; // no registry says so

    private final TokenEndpoint tokens;
    private final InstantSource clock;
    private final Consumer<Duration> pause;

    /// What a person is asked to do.
    ///
    /// @param place the page to open
    /// @param placeWithCode the same with the code in it; that of `place` where the registry gives none
    /// @param lifetime until when it must be done
    public record Waiting(
            String userCode,
            String place,
            String placeWithCode,
            Duration lifetime,
            Secret deviceCode,
            Duration interval) {}

    DeviceLogin(TokenEndpoint tokens, InstantSource clock, Consumer<Duration> pause) {
        this.tokens = tokens;
        this.clock = clock;
        this.pause = pause;
    }

    /// Begins at this registry, reached by way of `network`. Nothing is asked yet.
    public static DeviceLogin at(RegistryUrl registry, NetworkSettings network) {
        return at(registry, network, InstantSource.system(), Threads::sleep);
    }

    /// `pause` waits between questions; a test may hand in one that does not.
    public static DeviceLogin at(
            RegistryUrl registry, NetworkSettings network, InstantSource clock, Consumer<Duration> pause) {
        return new DeviceLogin(new TokenEndpoint(Transport.anonymous(registry, network), clock), clock, pause);
    }

    /// Asks for a code, or empty where the registry lets no devices in.
    ///
    /// @param scope the most that the session is to have
    public Optional<Waiting> begin(Scope scope) {
        if (!tokens.offersDeviceGrant()) {
            return Optional.empty();
        }
        var device = tokens.begin(scope);
        String place = Failures.showable(Json.present(device.place(), "verification_uri"));
        String withCode = device.placeWithCode();
        return Optional.of(new Waiting(
                Failures.showable(Json.present(device.userCode(), "user_code")),
                place,
                withCode == null ? place : Failures.showable(withCode),
                Duration.ofSeconds(
                        Math.clamp(device.expiresIn(), 1, Duration.ofHours(1).toSeconds())),
                Secret.of(Json.present(device.deviceCode(), "device_code")),
                interval(device.interval())));
    }

    private static Duration interval(@Nullable Long seconds) {
        return seconds == null ? SLOWER : Duration.ofSeconds(Math.clamp(seconds, 0, LONGEST_INTERVAL));
    }

    /// Asks until somebody has decided, as often as the registry wants to be asked.
    ///
    /// @throws SheafException.Unauthenticated where the person denied it, or nobody decided in time
    public Session await(Waiting waiting) {
        var end = clock.instant().plus(waiting.lifetime());
        Duration interval = waiting.interval();
        while (clock.instant().isBefore(end)) {
            pause.accept(interval);
            switch (poll(waiting)) {
                case Outcome.Begun begun -> {
                    return begun.session();
                }
                case Outcome.Refused refused -> {
                    switch (refused.error()) {
                        case "authorization_pending" -> {}
                        case "slow_down" -> interval = interval.plus(SLOWER);
                        case UNREACHED -> interval = longer(interval);
                        default -> throw refused.failure();
                    }
                }
            }
        }
        throw new SheafException.Unauthenticated("nobody has decided in time", SheafException.Answer.NONE);
    }

    /// A registry that cannot be reached for a moment is asked again, less often (RFC 8628, section 3.5).
    private Outcome poll(Waiting waiting) {
        try {
            return tokens.poll(waiting.deviceCode());
        } catch (SheafException.Network | SheafException.RateLimited | SheafException.Server e) {
            return new Outcome.Refused(UNREACHED, "");
        }
    }

    private static Duration longer(Duration interval) {
        return Duration.ofSeconds(Math.clamp(2 * interval.toSeconds(), 1, LONGEST_INTERVAL));
    }

    @Override
    public void close() {
        tokens.close();
    }
}
