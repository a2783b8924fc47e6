package dev.sheaf.server.config;

import dev.sheaf.engine.http.ServerSite;
import dev.sheaf.engine.net.Cidr;
import dev.sheaf.model.Handle;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.secret.MasterSecret;
import java.net.URI;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// The rule that the value of a setting must satisfy.
///
/// @param words end of the error message, after the setting's name
record SettingRule(String words, Predicate<String> holds) {
    // longer than needed, and can be added to any date without overflow
    private static final Duration MAX = Duration.ofDays(3_650);

    static final SettingRule ANY = new SettingRule("", text -> true);
    static final SettingRule FILLED = new SettingRule("must not be empty", text -> !text.isEmpty());
    static final SettingRule FLAG = oneOf("true", "false");
    static final SettingRule HANDLE =
            new SettingRule("must be a handle such as acme", text -> isRead(text, Handle::parse));
    static final SettingRule FOREVER = foreverOr(Duration.ZERO);
    static final SettingRule SITE =
            new SettingRule("must be http(s)://host[:port] without path", SettingRule::isSiteOrEmpty);
    static final SettingRule ORIGINS = new SettingRule(
            "must be *, or origins such as https://app.example.org, separated by commas",
            each(SettingRule::isSiteOrEmpty).or("*"::equals));
    static final SettingRule BLOCKS = new SettingRule(
            "must be addresses or blocks such as 10.0.0.0/8, separated by commas",
            each(block -> isRead(block, Cidr::parse)));
    static final SettingRule HOSTS = new SettingRule(
            "must be hosts such as bundles.example.org or bundles.example.org:8080, separated by commas",
            each(ServerSite::isHost));
    static final SettingRule PROVIDER = new SettingRule(
            "must begin with https:// or http://",
            text -> text.isEmpty() || text.startsWith("https://") || text.startsWith("http://"));
    static final SettingRule ISSUERS = new SettingRule(
            "must be https addresses, or http addresses of this machine, separated by spaces",
            each(SettingRule::isIssuer));
    static final SettingRule DATABASE = new SettingRule(
            "must begin with jdbc:postgresql:", text -> text.isEmpty() || text.startsWith("jdbc:postgresql:"));
    static final SettingRule KEY =
            new SettingRule("must be 32 bytes in base64", text -> text.isEmpty() || isRead(text, MasterSecret::parse));
    static final SettingRule KEYS = new SettingRule(
            "must be keys of 32 bytes in base64, separated by commas",
            text -> text.isEmpty() || isRead(text, MasterSecret::parseAll));

    static final SettingRule COLLECTOR = new SettingRule(
            "must be http(s)://host[:port][/path]", text -> text.isEmpty() || isRead(text, TraceSettings::address));
    static final SettingRule HEADERS = new SettingRule(
            "must be name=value pairs, separated by commas", text -> isRead(text, TraceSettings::headers));
    static final SettingRule SHARE =
            new SettingRule("must be a number from 0 to 1", text -> text.matches("0(\\.\\d{1,9})?|1(\\.0+)?"));

    static SettingRule oneOf(String... words) {
        return new SettingRule("must be one of " + String.join(", ", words), List.of(words)::contains);
    }

    static SettingRule number(long min, long max) {
        return new SettingRule("must be a number from " + min + " to " + max, text -> {
            try {
                long number = Long.parseLong(text);
                return number >= min && number <= max;
            } catch (NumberFormatException e) {
                return false;
            }
        });
    }

    static SettingRule duration(Duration min) {
        return new SettingRule(
                "must be an ISO 8601 duration such as PT10M or P30D, from " + min + " to " + MAX, text -> {
                    try {
                        var duration = Duration.parse(text);
                        return duration.compareTo(min) >= 0 && duration.compareTo(MAX) <= 0;
                    } catch (DateTimeParseException e) {
                        return false;
                    }
                });
    }

    static SettingRule foreverOr(Duration min) {
        return new SettingRule(
                duration(min).words() + ", or forever", duration(min).holds().or("forever"::equals));
    }

    private static Predicate<String> each(Predicate<String> entry) {
        return text -> Config.list(text).stream().allMatch(entry);
    }

    private static boolean isRead(String text, Consumer<String> parser) {
        try {
            parser.accept(text);
            return true;
        } catch (ProblemException | IllegalArgumentException e) {
            return false;
        }
    }

    /// Returns whether the text is an issuer as in tokens (OpenID Connect Core 1.0, section 2). It must have
    /// TLS, except on this machine: without TLS, anybody on the network could pose as the issuer.
    private static boolean isIssuer(String text) {
        try {
            var uri = URI.create(text);
            boolean plain = uri.getRawQuery() == null && uri.getRawFragment() == null && uri.getHost() != null;
            boolean local = List.of("localhost", "127.0.0.1", "[::1]").contains(String.valueOf(uri.getHost()));
            return plain && ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()) && local);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isSiteOrEmpty(String text) {
        try {
            var uri = URI.create(text);
            boolean site = ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())) && uri.getHost() != null;
            return text.isEmpty()
                    || site
                            && uri.getRawUserInfo() == null
                            && text.equals(uri.getScheme() + "://" + uri.getRawAuthority());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
