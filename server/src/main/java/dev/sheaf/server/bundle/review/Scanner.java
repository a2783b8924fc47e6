package dev.sheaf.server.bundle.review;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.net.AllowedTargets;
import dev.sheaf.engine.net.TargetPolicy;
import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.bundle.PolicyRecord;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A program of somebody else that a policy asks about each push.
///
/// @param id of this scanner with its secret
/// @param organization which named it; it is not asked once its namespace belongs to another one
/// @param passes whether a push passes if it does not answer; else people decide
/// @param secret sealed; it signs the questions
public record Scanner(UUID id, UUID organization, String name, String url, boolean passes, String secret) {
    static final int MOST = 5;
    private static final int MAX_URL = 2_000;
    private static final Pattern NAME = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?");
    private static final UUID NEW = new UUID(0, 0);
    private static final String PASS = "pass";
    private static final String HOLD = "hold";

    /// Reads a scanner, which has no secret yet.
    ///
    /// @param reach where questions may be sent
    static Scanner parse(RequestFields fields, AllowedTargets reach) {
        fields.only(Set.of("name", "url", "onFailure"));
        String name = fields.required("name", MAX_URL);
        if (!name.isEmpty() && !NAME.matcher(name).matches()) {
            fields.error("name", "format", "must be 1 to 40 of a-z, 0-9 and -, such as gitleaks");
        }
        String url = fields.required("url", MAX_URL);
        if (!url.isEmpty()) {
            fields.check("url", () -> checkTarget(url, reach));
        }
        boolean passes = fields.parsedOr("onFailure", Scanner::passes, false);
        return new Scanner(NEW, NEW, name, url, passes, "");
    }

    private static boolean passes(String text) {
        if (!text.equals(PASS) && !text.equals(HOLD)) {
            throw Problem.invalid("unknown", "must be hold or pass");
        }
        return text.equals(PASS);
    }

    private static void checkTarget(String text, AllowedTargets reach) {
        try {
            TargetPolicy.objection(new URI(text), reach).ifPresent(objection -> {
                throw Problem.invalid("range", objection);
            });
        } catch (URISyntaxException e) {
            throw Problem.invalid("format", "must be a URL such as https://scanner.example.org/scan (RFC 3986)");
        }
    }

    boolean isNew() {
        return id.equals(NEW);
    }

    /// Returns whether it is the same program at the same address, which keeps its secret.
    boolean isSame(Scanner other) {
        return name.equals(other.name) && url.equals(other.url);
    }

    Scanner with(UUID known, UUID of, String sealed) {
        return new Scanner(known, of, name, url, passes, sealed);
    }

    PolicyRecord.Scanner toWire(@Nullable String shown) {
        return new PolicyRecord.Scanner(name, url, passes ? PASS : HOLD, shown);
    }

    /// Returns scanners as they are stored.
    static @Nullable String stored(List<Scanner> scanners) {
        return scanners.isEmpty()
                ? null
                : String.join("\n", scanners.stream().map(Scanner::line).toList());
    }

    private String line() {
        return String.join(" ", id.toString(), organization.toString(), name, passes ? PASS : HOLD, secret, url);
    }

    /// Reads the scanners that an organization has named.
    static List<Scanner> read(@Nullable String stored, UUID organization) {
        return stored == null
                ? List.of()
                : stored.lines()
                        .map(line -> line.split(" ", 6))
                        .map(parts -> new Scanner(
                                UUID.fromString(parts[0]),
                                UUID.fromString(parts[1]),
                                parts[2],
                                parts[5],
                                parts[3].equals(PASS),
                                parts[4]))
                        .filter(scanner -> scanner.organization().equals(organization))
                        .toList();
    }

    /// Hides the secret, although it is sealed, and the address, which may contain one.
    @Override
    public String toString() {
        return "Scanner[" + name + "]";
    }
}
