package dev.sheaf.server.identity.signin;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.OAuthError;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Throttle;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.auth.secret.OneTimeSecret;
import dev.sheaf.server.identity.AccountRows;
import dev.sheaf.server.identity.DeviceRows;
import dev.sheaf.server.identity.SessionEnds;
import dev.sheaf.server.identity.SessionRows;
import dev.sheaf.server.identity.Sessions;
import dev.sheaf.server.identity.SignInSource;
import dev.sheaf.server.org.member.Members;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/// Sessions for devices whose user signs in on another device (RFC 8628). Both codes are stored only as keyed
/// hashes. An unknown code and a missing code get the same answer. Thread-safe.
public final class DeviceGrants {
    public static final Duration LIFETIME = Duration.ofMinutes(10);
    public static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final int MOST = 10_000;
    /// A device that has not asked for so long gives up its place if there is none left: somebody who floods this would
    /// have
    /// to
    /// ask for thousands of codes all the time.
    private static final Duration SILENCE = Duration.ofMinutes(1);

    private static final int MOST_AT_ONE_PLACE = 100;
    private static final String LETTERS = "BCDFGHJKLMNPQRSTVWXZ"; // RFC 8628, section 6.1: no vowels
    private static final int LENGTH = 8;
    private static final int IPV6_GROUPS = 8; // Java never shortens addresses
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Database database;
    private final MasterSecret master;
    private final Sessions sessions;

    /// The codes for a device.
    public record Codes(Secret device, String user) {}

    /// The request of a device, as it is shown to the person who decides.
    public record Asked(String userCode, String client, Scope scope, String address) {}

    /// The choice for a person who has signed in.
    ///
    /// @param ticket the ticket to send with the decision
    public record Choice(Asked asked, String email, Secret ticket, List<User.Belonging> organizations) {
        public Choice {
            organizations = List.copyOf(organizations);
        }
    }

    public DeviceGrants(Database database, MasterSecret master, Sessions sessions) {
        this.database = database;
        this.master = master;
        this.sessions = sessions;
    }

    private String hash(String what, String code) {
        return master.hashOf("device-grant/1", Secret.of(what + " " + code));
    }

    // --- the device ---

    /// @throws ProblemException rate-limited if too many devices wait, of that address or in total, and in total all of
    /// them still ask
    public Codes begin(String client, Scope scope, String address) {
        var device = OneTimeSecret.generate("shd");
        String user = userCode();
        return database.write(tx -> {
            if (DeviceRows.countAt(tx, place(address)) >= MOST_AT_ONE_PLACE) {
                throw tooMany(LIFETIME);
            }
            if (DeviceRows.count(tx) >= MOST
                    && !DeviceRows.deleteSilent(tx, tx.now().minus(SILENCE))) {
                throw tooMany(SILENCE);
            }
            DeviceRows.insert(
                    tx,
                    new DeviceRows.Row(
                            hash("device", device.expose()),
                            hash("user", user),
                            client,
                            scope,
                            address,
                            DeviceRows.State.PENDING,
                            null,
                            null,
                            null,
                            tx.now().plus(LIFETIME),
                            INTERVAL.toSeconds(),
                            tx.now().minus(INTERVAL.multipliedBy(2))));
            return new Codes(device, user);
        });
    }

    private static ProblemException tooMany(Duration wait) {
        return new Problem.RateLimited(
                        Throttle.RATE,
                        "devices",
                        "too many devices are waiting for approval; try again in " + wait.toSeconds() + " s",
                        wait.toSeconds())
                .raise();
    }

    /// Returns the prefix for which devices are counted, with a colon at its end: the IPv4 address, or the /64
    /// network of an IPv6 address, because a client usually has a whole such network.
    private static String place(String address) {
        var groups = List.of(address.split(":"));
        return String.join(":", groups.size() == IPV6_GROUPS ? groups.subList(0, IPV6_GROUPS / 2) : groups) + ":";
    }

    private static String userCode() {
        var code = new StringBuilder();
        for (int i = 0; i < LENGTH; i++) {
            code.append(i == LENGTH / 2 ? "-" : "").append(LETTERS.charAt(RANDOM.nextInt(LETTERS.length())));
        }
        return code.toString();
    }

    /// The result of polling. Refusals are not thrown inside the transaction, because it must store the poll.
    private sealed interface Turn {
        record Done(Sessions.Begun begun) implements Turn {}

        record Refused(OAuthError error, String detail) implements Turn {}
    }

    /// Returns the session once a person has approved.
    ///
    /// @throws ProblemException token-refused: authorization_pending, slow_down, access_denied, expired_token,
    /// or invalid_grant for an unknown code
    public Sessions.Opened poll(SignInSource visit, Secret deviceCode) {
        return switch (database.write(tx -> turn(tx, visit, deviceCode))) {
            case Turn.Done done -> sessions.open(done.begun());
            case Turn.Refused refused -> throw refused.error().refuse(refused.detail());
        };
    }

    private Turn turn(Tx tx, SignInSource visit, Secret deviceCode) {
        var row = DeviceRows.byDevice(tx, hash("device", deviceCode.expose())).orElse(null);
        if (row == null) {
            return new Turn.Refused(
                    OAuthError.INVALID_GRANT, "the device code is unknown here, or was already used; begin again");
        }
        if (!tx.now().isBefore(row.expiresAt())) {
            return new Turn.Refused(OAuthError.EXPIRED_TOKEN, "the request was not decided in time; begin again");
        }
        var interval = Duration.ofSeconds(row.intervalSeconds());
        if (tx.now().isBefore(row.polledAt().plus(interval))) {
            DeviceRows.polled(tx, row, interval.plus(INTERVAL));
            return new Turn.Refused(
                    OAuthError.SLOW_DOWN,
                    "ask again after " + interval.plus(INTERVAL).toSeconds() + " seconds");
        }
        DeviceRows.polled(tx, row, interval);
        return switch (row.state()) {
            case PENDING ->
                new Turn.Refused(
                        OAuthError.AUTHORIZATION_PENDING,
                        "the request is not decided yet; ask again in " + interval.toSeconds() + " seconds");
            case DENIED -> {
                DeviceRows.delete(tx, row);
                yield new Turn.Refused(OAuthError.ACCESS_DENIED, "access was denied");
            }
            case APPROVED -> approved(tx, visit, row);
        };
    }

    private Turn approved(Tx tx, SignInSource visit, DeviceRows.Row row) {
        DeviceRows.delete(tx, row);
        UUID id = row.accountId();
        UUID organization = row.organizationId();
        var account = id == null ? null : AccountRows.lock(tx, id).orElse(null);
        if (account == null || organization == null || account.isDisabled()) {
            return new Turn.Refused(OAuthError.ACCESS_DENIED, "the account that approved is disabled");
        }
        var delegation = new Sessions.Delegation(row.scope(), organization);
        var device = new SignInSource(visit.address(), row.client(), visit.requestId());
        return new Turn.Done(sessions.begin(
                tx, new Sessions.Entry(account.id(), account.email().value(), "device", device, delegation)));
    }

    // --- the person ---

    /// Returns the request of the device with that code.
    ///
    /// @throws ProblemException unauthenticated if no device waits with this code
    public Asked asked(String userCode) {
        return database.write(tx -> shown(waiting(tx, userCode), userCode));
    }

    private static Asked shown(DeviceRows.Row row, String userCode) {
        return new Asked(normal(userCode), row.client(), row.scope(), row.address());
    }

    private DeviceRows.Row waiting(Tx tx, String userCode) {
        return open(tx, userCode).orElseThrow(DeviceGrants::nothingWaits);
    }

    private Optional<DeviceRows.Row> open(Tx tx, String userCode) {
        return DeviceRows.byUser(tx, hash("user", normal(userCode))).filter(row -> isOpen(tx, row));
    }

    private static ProblemException nothingWaits() {
        return unknown(
                "no device waits with this code; it may have expired, so check the code or begin again on the device");
    }

    private static boolean isOpen(Tx tx, DeviceRows.Row row) {
        return row.state() == DeviceRows.State.PENDING && tx.now().isBefore(row.expiresAt());
    }

    /// Returns the code in its original form, regardless of case and punctuation (RFC 8628, section 6.1).
    private static String normal(String userCode) {
        String letters = userCode.toUpperCase(Locale.ROOT).replaceAll("[^A-Z]", "");
        return letters.length() == LENGTH ? letters.substring(0, LENGTH / 2) + "-" + letters.substring(LENGTH / 2) : "";
    }

    private static ProblemException unknown(String detail) {
        return new Problem.Unauthenticated(CredentialFault.UNKNOWN, detail).raise();
    }

    /// Records the person who signed in to decide. Ends the session of that sign-in, whose only purpose was to
    /// identify the person.
    ///
    /// @throws ProblemException unauthenticated
    public Choice claim(String userCode, Sessions.Opened signedIn) {
        return database.write(tx -> {
                    SessionEnds.endAsShown(tx, signedIn.session()); // also if the device no longer waits
                    return claim(tx, userCode, signedIn.session());
                })
                .orElseThrow(DeviceGrants::nothingWaits);
    }

    private Optional<Choice> claim(Tx tx, String userCode, UUID id) {
        var ticket = OneTimeSecret.generate("sht");
        var session = SessionRows.find(tx, id).orElseThrow();
        return open(tx, userCode).map(row -> {
            DeviceRows.claimed(tx, row, session.account(), hash("ticket", ticket.expose()));
            return new Choice(shown(row, userCode), session.email(), ticket, Members.belongings(tx, session.account()));
        });
    }

    /// Returns the open choice of the holder of a ticket; empty if another person has signed in since, or the
    /// decision was made.
    public Optional<Choice> claimed(String userCode, Secret ticket) {
        return database.write(tx -> DeviceRows.byUser(tx, hash("user", normal(userCode)))
                .filter(row ->
                        isOpen(tx, row) && hash("ticket", ticket.expose()).equals(row.ticketHash()))
                .flatMap(row -> Optional.ofNullable(row.accountId())
                        .flatMap(id -> AccountRows.find(tx, id))
                        .map(account -> new Choice(
                                shown(row, userCode),
                                account.email().value(),
                                ticket,
                                Members.belongings(tx, account.id())))));
    }

    /// Stores a decision for an organization that the person belongs to.
    ///
    /// @throws ProblemException unauthenticated if the ticket does not belong to the person who signed in last
    public Asked decide(DeviceDecision decision, SignInSource visit) {
        UUID organization = decision.organization();
        return database.write(tx -> {
            var row = waiting(tx, decision.userCode());
            UUID id = row.accountId();
            var account = id == null ? null : AccountRows.lock(tx, id).orElse(null);
            String ticket = hash("ticket", decision.ticket().expose());
            if (account == null || !ticket.equals(row.ticketHash()) || account.isDisabled()) {
                throw unknown("another person has signed in for this device in the meantime; begin again");
            }
            if (organization != null && !Members.of(tx, account.id()).containsKey(organization)) {
                throw new Problem.Forbidden("you are not a member of that organization; choose one of yours").raise();
            }
            var state = organization == null ? DeviceRows.State.DENIED : DeviceRows.State.APPROVED;
            DeviceRows.decided(tx, row, state, organization);
            var credential = new Credential.Session(
                    account.id(), account.id(), account.email().value());
            AuditRows.record(
                    tx,
                    visit.origin(credential, organization == null ? Sessions.home(tx, account.id()) : organization),
                    organization == null ? "device.deny" : "device.approve",
                    account.id().toString(),
                    row.client() + " at " + row.address() + ", " + row.scope());
            return shown(row, decision.userCode());
        });
    }

    /// Deletes grants an hour after they expired.
    public void purge() {
        database.write(DeviceRows::purge);
    }
}
