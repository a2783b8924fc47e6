package dev.sheaf.client.credentials;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.credentials.TokenEndpoint.Outcome;
import dev.sheaf.client.http.ErrorResponses;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.io.TaskThreads;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.client.network.NetworkSettings;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Starts a session for a person who signs in with a browser, here or on another machine (RFC 8628). Use an
/// instance once, from one thread.
public final class DeviceLogin implements AutoCloseable {
    private static final Duration SLOWER = Duration.ofSeconds(5); // RFC 8628, sections 3.2 and 3.5
    private static final long LONGEST_INTERVAL = 60; // seconds
    private static final String UNREACHED = " "; // never sent by a registry

    private final TokenEndpoint tokens;
    private final InstantSource clock;
    private final Consumer<Duration> pause;

    /// The instructions for the person, and the data for the polls.
    ///
    /// @param place the URL of the page to open
    /// @param placeWithCode the URL of the page with the code in it; the same as `place` if the registry does
    /// not provide it
    /// @param lifetime the time within which the person must confirm the login
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

    /// Creates a login at this registry over `network`. Sends no request.
    public static DeviceLogin at(RegistryUrl registry, NetworkSettings network) {
        return at(registry, network, InstantSource.system(), TaskThreads::sleep);
    }

    /// Creates a login with a clock and a function that waits between polls, for tests.
    public static DeviceLogin at(
            RegistryUrl registry, NetworkSettings network, InstantSource clock, Consumer<Duration> pause) {
        return new DeviceLogin(new TokenEndpoint(RegistryTransport.anonymous(registry, network), clock), clock, pause);
    }

    /// Requests a code; empty if the registry does not support devices.
    ///
    /// @param scope the highest scope of the session
    public Optional<Waiting> begin(Scope scope) {
        if (!tokens.offersDeviceGrant()) {
            return Optional.empty();
        }
        var device = tokens.begin(scope);
        String place = ErrorResponses.showable(WireJson.present(device.place(), "verification_uri"));
        String withCode = device.placeWithCode();
        return Optional.of(new Waiting(
                ErrorResponses.showable(WireJson.present(device.userCode(), "user_code")),
                place,
                withCode == null ? place : ErrorResponses.showable(withCode),
                Duration.ofSeconds(
                        Math.clamp(device.expiresIn(), 1, Duration.ofHours(1).toSeconds())),
                Secret.of(WireJson.present(device.deviceCode(), "device_code")),
                interval(device.interval())));
    }

    private static Duration interval(@Nullable Long seconds) {
        return seconds == null ? SLOWER : Duration.ofSeconds(Math.clamp(seconds, 0, LONGEST_INTERVAL));
    }

    /// Polls until the person has decided, at the interval that the registry sets.
    ///
    /// @throws SheafException.Unauthenticated if the person denied the request, or did not decide in time
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
        throw new SheafException.Unauthenticated("the login was not confirmed in time", SheafException.Answer.NONE);
    }

    /// Polls once. If the registry is temporarily unreachable, the interval becomes longer (RFC 8628, section
    /// 3.5).
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
