package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.ActorNames;
import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.CommandGroup;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.InputText;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.PolicyChange;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.bundle.PolicyRecord;
import dev.sheaf.model.wire.bundle.ReviewRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The commands of `sheaf review`: pushes that need approval before anybody gets them.
public final class ReviewCommands {
    private static final int MOST = 1_000;
    private static final int LEAST_DIGITS = 10;
    private static final String NONE = "none";
    private static final String APPROVED = "approved";
    private static final String ANY = "any";
    private static final Set<String> MEMBERS = Set.of("publisher", "paths", "noNewCapabilities", "maxFinding");
    private static final List<String> SEVERITIES = List.of("info", "low", "medium", "high", NONE);

    private ReviewCommands() {}

    public static CommandGroup of(Supplier<Connection> connections) {
        return new CommandGroup(connections, "review", "Shows, approves and rejects pushes that need it.")
                .add(ReviewCommands::list)
                .add(ReviewCommands::show)
                .add(ReviewCommands::diff)
                .add(ReviewCommands::approve)
                .add(ReviewCommands::reject)
                .add(ReviewCommands::withdraw)
                .add(ReviewCommands::request)
                .add(ReviewCommands::rescan)
                .add(ReviewCommands::policy);
    }

    private static CliCommand list(Connection connection) {
        var command = ResourceCommand.of(connection, "ls", "Lists the pushes that wait for approval.")
                .alias("list");
        var mine = command.flag("--mine", "Only what this key or person pushed.");
        var all = command.flag("--all", "Those that ended too.");
        var org = command.option("--org", "ORG", "Id or handle of the organization. Default: your own.");
        return command.run(client -> {
            var actors = new ActorNames(client);
            command.output.list(
                    client.reviews(org.get(), all.isGiven() ? null : "held", mine.isGiven(), MOST),
                    ReviewCommands::name,
                    new Table<ReviewRecord>()
                            .column("VERSION", ReviewCommands::name)
                            .column("STATE", ReviewRecord::state)
                            .column("APPROVALS", review -> given(review) + "/" + review.approvals())
                            .column("PUSHED", ReviewRecord::pushedAt)
                            .column("BY", review -> actors.name(review.pushedBy()))
                            .column("MESSAGE", review -> Objects.requireNonNullElse(review.message(), "-")),
                    all.isGiven() ? "no push has needed approval" : "no push waits for approval");
        });
    }

    private static CliCommand show(Connection connection) {
        var command = ResourceCommand.of(connection, "show", "Shows a push that needs or needed approval.");
        var version = VersionArgument.of(command);
        return command.check(version::exact).run(client -> {
            var review = version.bundle(client).review(version.exact());
            var summary = new Summary()
                    .line("version", name(review))
                    .line("state", review.state() + (review.ofPublished() ? ", of a version that is published" : ""))
                    .line("digest", review.digest())
                    .line(
                            "content",
                            TextFormat.count(review.files(), "file") + ", " + TextFormat.size(review.sizeBytes())
                                    + (review.round() == 1 ? "" : ", round " + review.round()))
                    .line("approvals", given(review) + " of " + review.approvals())
                    .line("may approve", String.join(", ", review.by()))
                    .line("name", review.name())
                    .line("visibility", review.ofPublished() ? null : review.visibility() + ", if the bundle is new")
                    .line(
                            review.ofPublished() ? "asked for" : "pushed",
                            review.pushedAt() + " by " + new ActorNames(client).name(review.pushedBy()));
            review.scans().forEach(scan -> summary.line("scanner", scan.scanner() + ": " + scan.state()));
            review.findings().forEach(finding -> summary.line("waits for", finding.sentence()));
            if (review.description() != null) {
                summary.line("description", review.description());
            }
            if (review.message() != null) {
                summary.line("message", review.message());
            }
            if (!review.tags().isEmpty()) {
                summary.line("tags", String.join(", ", review.tags()));
            }
            review.decisions()
                    .forEach(one -> summary.line(
                            one.decision(),
                            one.at() + " by " + Objects.requireNonNullElse(one.name(), one.by())
                                    + (one.round() == review.round() ? "" : ", of round " + one.round())
                                    + (one.reason() == null ? "" : ": " + one.reason())));
            if (review.endedAt() == null) {
                summary.line("expires", review.expiresAt());
            } else {
                summary.line("ended", review.endedAt());
            }
            summary.line("page", review.url());
            command.output.one(review, review.state(), summary);
        });
    }

    private static String hex(String digest) {
        return digest.substring(digest.indexOf(':') + 1);
    }

    private static CliCommand diff(Connection connection) {
        var command = ResourceCommand.of(
                connection, "diff", "Shows what a push changes, compared with the latest version, as unified diffs.");
        var version = VersionArgument.of(command);
        var stat = command.flag("--stat", "Only name the files.");
        return command.check(version::exact).run(client -> {
            var diff = version.bundle(client).reviewDiff(version.exact());
            new ShownDiff(diff, stat.isGiven(), false).show(command.output);
            command.output.say("to approve exactly this: sheaf review approve " + version + " --digest "
                    + TextFormat.showable(diff.to().ociDigest()) + connection.typed());
        });
    }

    private static CliCommand approve(Connection connection) {
        var command = ResourceCommand.of(
                        connection,
                        "approve",
                        "Approves a push that waits. The last approval that it needs publishes the version.")
                .footer(
                        "",
                        "Only a person who has signed in can do this: sheaf login. Look at it first: sheaf review diff.");
        var version = VersionArgument.of(command);
        var digest = command.option(
                "--digest", "DIGEST", "Of what you have seen, as sheaf review diff names it; ten digits are enough.");
        var reason = command.option("--reason", "TEXT", "Why, for the publisher and other reviewers.");
        var override = command.flag("--override", "Say where an owner publishes it although approvals are missing.");
        return command.check(() -> {
                    version.exact();
                    command.refuse(!override.isGiven() && !digest.isGiven(), "--digest=DIGEST is missing");
                    command.refuse(
                            digest.isGiven() && !hex(digest.or("")).matches("[0-9a-f]{" + LEAST_DIGITS + ",128}"),
                            "--digest must be the digest that sheaf review diff names, or its first " + LEAST_DIGITS
                                    + " digits or more");
                })
                .exit(client -> {
                    var bundle = version.bundle(client);
                    var seen = bundle.review(version.exact());
                    if (override.isGiven()) {
                        command.output.say(
                                "an override needs an owner's sign-in in the console and a second factor, so it"
                                        + " is not done here; open " + TextFormat.showable(seen.url()));
                        return ExitCode.FORBIDDEN;
                    }
                    if (!hex(seen.digest()).startsWith(hex(digest.or("")))) {
                        command.output.say(name(seen) + " has other content (" + TextFormat.showable(seen.digest())
                                + "), so it is not approved; look at it: sheaf review diff " + name(seen)
                                + command.at());
                        return ExitCode.CONFLICT;
                    }
                    var done = bundle.approve(seen, reason.get());
                    done.warnings().forEach(warning -> command.output.note(TextFormat.showable(warning)));
                    int missing = done.approvals() - given(done);
                    command.output.done(
                            done,
                            done.state(),
                            done.state().equals("published")
                                    ? (done.ofPublished() ? "approved " : "published ") + name(done)
                                    : "approved " + name(done) + "; it needs "
                                            + TextFormat.count(missing, "more approval"));
                    return ExitCode.OK;
                });
    }

    private static CliCommand reject(Connection connection) {
        var command = ResourceCommand.of(connection, "reject", "Rejects a push that waits. Its number is free again.")
                .footer("", "Only a person who has signed in can do this: sheaf login.");
        var version = VersionArgument.of(command);
        var reason = command.requiredOption("--reason", "TEXT", "Why, for the publisher.");
        return command.check(version::exact).run(client -> {
            var bundle = version.bundle(client);
            var done = bundle.reject(bundle.review(version.exact()), reason.get());
            command.output.done(done, done.state(), "rejected " + name(done));
        });
    }

    private static CliCommand withdraw(Connection connection) {
        var command = ResourceCommand.of(
                connection,
                "withdraw",
                "Withdraws a push that waits. Its number is free again. For who pushed it, and admins.");
        var version = VersionArgument.of(command);
        return command.check(version::exact).run(client -> {
            var done = version.bundle(client).withdraw(version.exact());
            command.output.done(done, done.state(), "withdrew " + name(done));
        });
    }

    private static CliCommand request(Connection connection) {
        var command = ResourceCommand.of(
                connection,
                "request",
                "Asks for the review of a version that was published without one. Readers keep it, whatever is decided.");
        var version = VersionArgument.of(command);
        return command.check(version::exact).run(client -> {
            var asked = version.bundle(client).requestReview(version.exact());
            command.output.done(asked, asked.state(), "asked for the review of " + name(asked) + ": " + asked.url());
        });
    }

    private static CliCommand rescan(Connection connection) {
        var command = ResourceCommand.of(
                connection,
                "rescan",
                "Has a published version read again for findings, also by the scanners of the policy. Nothing is hidden.");
        var version = VersionArgument.of(command);
        return command.check(version::exact).run(client -> {
            var asked = version.bundle(client).rescan(version.exact());
            command.output.done(
                    asked,
                    asked.version(),
                    "reading " + asked.version() + " again"
                            + (asked.scanners().isEmpty() ? "" : ", also by " + String.join(", ", asked.scanners())));
        });
    }

    private static CliCommand policy(Connection connection) {
        var command = ResourceCommand.of(
                        connection,
                        "policy",
                        "Shows what new versions of a bundle, or of all bundles of a namespace, need; or sets it.")
                .footer(
                        "",
                        "Setting it needs an API key with the scope admin; people do it in the console. What asks for more applies at once, what asks for less after a day, or"
                                + " when a second owner confirms it.");
        var place = command.argument(String.class, "PLACE", "A namespace, or namespace/bundle.");
        var approvals =
                command.option(Integer.class, "--approvals", "N", "How many people must approve. Turns review on.");
        var by = command.option(
                "--by", "WHO", "Who may: owner, admin, publisher, reader, user:ID, with commas. Default: owner,admin.");
        var self = command.flag("--allow-own", "People may approve what they pushed themselves.");
        var expires = command.option("--expires", "PERIOD", "How long a push waits, such as P14D. Default: P14D.");
        var block = command.option(
                "--block-findings",
                "SEVERITY",
                "Refuse versions with findings of info, low, medium or high and worse; none turns it off.");
        var hold = command.option(
                "--review-findings",
                "SEVERITY",
                "Versions with such findings, or that a scan did not read to the end, need approval; none turns it off.");
        var scanner =
                command.option("--scanner", "NAME=URL", "Ask a scanner about each push. Its secret is shown once.");
        var passes = command.flag("--pass-on-failure", "A push passes if this scanner does not answer.");
        var without = command.option("--remove-scanner", "NAME", "Do not ask this scanner any more.");
        var auto = command.option(
                "--auto",
                "RULES",
                "Rules that approve pushes without people, as JSON: '[{\"paths\": [\"docs/**\"]}]'; [] removes them.");
        var requires = command.option(
                "--requires", "WHICH", "Versions may require approved versions of other bundles only, or any.");
        var off = command.flag("--off", "Versions need nothing.");
        return command.check(() -> {
                    boolean details = by.isGiven() || self.isGiven() || expires.isGiven();
                    boolean sets = details
                            || approvals.isGiven()
                            || block.isGiven()
                            || hold.isGiven()
                            || scanner.isGiven()
                            || without.isGiven()
                            || auto.isGiven()
                            || requires.isGiven();
                    command.refuse(
                            requires.isGiven() && !List.of(APPROVED, ANY).contains(requires.or("")),
                            "--requires must be approved or any");
                    command.refuse(
                            scanner.isGiven() && !scanner.or("").matches("[a-z0-9-]{1,40}=.+"),
                            "--scanner must be NAME=URL, such as gitleaks=https://scanner.example.org/");
                    command.refuse(passes.isGiven() && !scanner.isGiven(), "--pass-on-failure needs --scanner");
                    command.refuse(off.isGiven() && sets, "--off cannot be used with other options");
                    command.refuse(
                            details && !approvals.isGiven(), "to set a policy, say how many --approvals it asks for");
                    Stream.of(block, hold)
                            .filter(OptionalValue::isGiven)
                            .forEach(option -> command.refuse(
                                    !SEVERITIES.contains(option.get()),
                                    option.get() + " must be one of " + String.join(", ", SEVERITIES)));
                })
                .run(client -> {
                    String where = place.get();
                    var change = PolicyChange.NOTHING;
                    if (off.isGiven()) {
                        change = change.review(null).scan(null).requires(null);
                    }
                    if (requires.isGiven()) {
                        change = change.requires(requires.or("").equals(APPROVED) ? APPROVED : null);
                    }
                    if (auto.isGiven() && !approvals.isGiven()) {
                        change = change.review(with(get(client, where).review(), rules(auto.or(""))));
                    }
                    if (approvals.isGiven()) {
                        change = change.review(new PolicyRecord.Review(
                                Objects.requireNonNullElse(approvals.get(), 1),
                                Arrays.stream(by.or("owner,admin").split(","))
                                        .map(String::strip)
                                        .toList(),
                                self.isGiven() ? "nobody" : "publisher",
                                expires.or("P14D"),
                                auto.isGiven() ? rules(auto.or("")) : null));
                    }
                    if (block.isGiven() || hold.isGiven() || scanner.isGiven() || without.isGiven()) {
                        var scan = scan(get(client, where), block.get(), hold.get());
                        change = change.scan(asking(scan, scanner.get(), passes.isGiven(), without.get()));
                    }
                    report(
                            command,
                            where,
                            change.equals(PolicyChange.NOTHING) ? get(client, where) : set(client, where, change));
                });
    }

    /// Returns the same policy with other rules.
    private static PolicyRecord.Review with(PolicyRecord.@Nullable Review review, List<PolicyRecord.Auto> rules) {
        if (review == null) {
            throw new SheafException.InvalidRequest(
                    "new versions need no approval here, so --auto has no effect; say how many --approvals they need");
        }
        return new PolicyRecord.Review(review.approvals(), review.by(), review.notBy(), review.expires(), rules);
    }

    /// Reads rules. An unknown member is refused, because without it the rule would approve more.
    private static List<PolicyRecord.Auto> rules(String text) {
        var rules = InputText.json(text, "--auto");
        if (rules == null || !rules.isArray()) {
            throw new SheafException.InvalidRequest(
                    "--auto must be a list of rules, such as '[{\"paths\": [\"docs/**\"]}]'");
        }
        rules.forEach(rule -> {
            if (!rule.isObject() || !MEMBERS.containsAll(rule.propertyNames())) {
                throw new SheafException.InvalidRequest("a rule of --auto is an object with "
                        + String.join(", ", MEMBERS.stream().sorted().toList()));
            }
        });
        return List.of(WireJson.read(rules, PolicyRecord.Auto[].class));
    }

    /// Returns what findings change; what is not given stays.
    private static PolicyRecord.Scan scan(PolicyRecord now, @Nullable String block, @Nullable String review) {
        var before = Objects.requireNonNullElse(now.scan(), new PolicyRecord.Scan(null, null));
        return new PolicyRecord.Scan(
                block == null ? before.block() : severity(block),
                review == null ? before.review() : severity(review),
                before.scanners());
    }

    /// @param scanner a name and an address; null to add none
    /// @param without the name of one to remove; null for none
    private static PolicyRecord.Scan asking(
            PolicyRecord.Scan scan, @Nullable String scanner, boolean passes, @Nullable String without) {
        var scanners = new ArrayList<>(scan.scanners());
        scanners.removeIf(one -> one.name().equals(without));
        if (scanner != null) {
            int end = scanner.indexOf('=');
            String name = scanner.substring(0, end);
            scanners.removeIf(one -> one.name().equals(name));
            scanners.add(new PolicyRecord.Scanner(name, scanner.substring(end + 1), passes ? "pass" : "hold", null));
        }
        return new PolicyRecord.Scan(scan.block(), scan.review(), scanners);
    }

    private static @Nullable String severity(String word) {
        return word.equals(NONE) ? null : word;
    }

    private static PolicyRecord get(SheafClient client, String place) {
        return place.indexOf('/') < 0
                ? client.policy(Namespace.parse(place))
                : client.bundle(RepositoryName.parse(place)).policy();
    }

    private static PolicyRecord set(SheafClient client, String place, PolicyChange change) {
        return place.indexOf('/') < 0
                ? client.setPolicy(Namespace.parse(place), change)
                : client.bundle(RepositoryName.parse(place)).setPolicy(change);
    }

    private static void report(ResourceCommand<SheafClient> command, String place, PolicyRecord policy) {
        var summary = new Summary()
                .line("place", place)
                .line("needs", words(policy.review()))
                .line("findings", words(policy.scan()));
        rules(summary, "rule ", policy.review());
        if (policy.requires() != null) {
            summary.line("requires", "only approved versions of other bundles");
        }
        var pending = policy.pending();
        if (pending != null) {
            summary.line(
                    "later",
                    "from " + pending.effectiveAt() + ": " + words(pending.review()) + "; findings "
                            + words(pending.scan())
                            + (pending.requires() == null ? "" : "; requires only approved versions"));
            rules(summary, "later rule ", pending.review());
        }
        if (policy.scan() != null) {
            policy.scan().scanners().forEach(scanner -> {
                summary.line("scanner", scanner.name() + " at " + scanner.url());
                if (scanner.secret() != null) {
                    summary.line("secret", scanner.secret() + "  (shown only now)");
                }
            });
        }
        command.output.one(policy, words(policy.review()), summary);
    }

    private static void rules(Summary summary, String label, PolicyRecord.@Nullable Review review) {
        var rules = review == null ? null : review.auto();
        for (int i = 0; rules != null && i < rules.size(); i++) {
            summary.line(label + (i + 1), "approved without people: " + words(rules.get(i)));
        }
    }

    private static String words(PolicyRecord.Auto rule) {
        return Stream.of(
                        rule.publisher() == null ? "" : "pushed by " + rule.publisher(),
                        paths("changes only in ", rule.paths()),
                        paths("and in ", rule.alsoPaths()),
                        Boolean.FALSE.equals(rule.noNewCapabilities()) ? "" : "no new capabilities",
                        "findings up to " + Objects.requireNonNullElse(rule.maxFinding(), "low"))
                .filter(words -> !words.isEmpty())
                .collect(Collectors.joining("; "));
    }

    private static String paths(String lead, @Nullable List<String> paths) {
        return paths == null || paths.isEmpty() ? "" : lead + String.join(", ", paths);
    }

    private static String words(PolicyRecord.@Nullable Review review) {
        return review == null
                ? "no approval"
                : TextFormat.count(review.approvals(), "approval") + " by " + String.join(", ", review.by())
                        + (review.notBy().equals("publisher") ? ", not by who pushed it" : "") + ", within "
                        + review.expires();
    }

    private static String words(PolicyRecord.@Nullable Scan scan) {
        if (scan == null) {
            return "change nothing";
        }
        if (scan.block() == null && scan.review() == null) {
            return "change nothing, but scanners are asked";
        }
        return Stream.of(
                        scan.block() == null ? null : scan.block() + " and worse are refused",
                        scan.review() == null ? null : scan.review() + " and worse need approval")
                .filter(Objects::nonNull)
                .collect(Collectors.joining(", "));
    }

    /// Returns the reasons of the last round, to end a sentence with.
    static String reasons(ReviewRecord review) {
        String reasons = review.decisions().stream()
                .filter(one -> one.round() == review.round() && one.reason() != null)
                .map(one -> TextFormat.showable(Objects.requireNonNullElse(one.reason(), "")))
                .collect(Collectors.joining("; "));
        return reasons.isEmpty() ? "" : ": " + reasons;
    }

    private static int given(ReviewRecord review) {
        return (int) review.decisions().stream()
                .filter(one -> one.round() == review.round() && one.decision().equals("approved"))
                .count();
    }

    private static String name(ReviewRecord review) {
        return TextFormat.showable(review.namespace() + "/" + review.bundle() + ":" + review.version());
    }
}
