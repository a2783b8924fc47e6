package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.client.Bundle;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.passport.Passport;
import dev.sheaf.model.passport.PassportRow;
import dev.sheaf.model.passport.PassportRule;
import dev.sheaf.model.passport.PassportRules;
import dev.sheaf.model.passport.PassportSummary;
import dev.sheaf.model.passport.Severity;
import dev.sheaf.model.wire.bundle.TagStatus;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.bundle.VersionPassport;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The command `sheaf info`: a bundle, and what its latest version can touch; or one version of it.
final class InfoCommand extends ResourceCommand<SheafClient> {
    private static final int MOST_FINDINGS = 10;

    private final RequiredValue<Reference> reference = argument(
            Reference.class, "REF", "namespace/bundle; with :version, a tag or a range, what that version can touch.");
    private final OptionalValue<String> since =
            option("--since", "VERSION", "Also show what is new since this version, tag or range.");

    InfoCommand(Connection connection) {
        super(
                connection,
                client -> client,
                "info",
                "Describes a bundle, and what a version of it can touch. That is what it runs, reaches, asks for, reads and "
                        + "leaves behind, as its files tell.");
        run(this::show);
    }

    private void show(SheafClient client) {
        var bundle = client.bundle(reference.get().repository());
        String typed = since.get();
        String old = typed == null ? null : VersionSelector.parse(typed).toString();
        boolean isWhole = reference.get().selector() instanceof VersionSelector.Default;
        if (!isWhole || old != null) {
            String version =
                    isWhole ? Tag.LATEST.value() : reference.get().selector().toString();
            var passport = bundle.passport(version, old);
            var told = detail(bundle, passport.version());
            var summary = version(passport)
                    .text("message", told == null ? null : told.message())
                    .text("requires", requires(told))
                    .text("approved", approvals(told));
            output.one(passport, passport.version(), lines(summary, passport));
            return;
        }
        var info = bundle.info();
        String latest = bundle.tags().list().stream()
                .filter(tag -> tag.name().equals(Tag.LATEST.value()))
                .findFirst()
                .map(TagStatus::version)
                .orElse(null);
        var summary = BundleCommands.summary(info, latest);
        if (latest != null) {
            var told = detail(bundle, latest);
            summary.text("message", told == null ? null : told.message())
                    .text("requires", requires(told))
                    .text("approved", approvals(told));
            passport(bundle, latest).ifPresent(passport -> brief(summary, passport));
        }
        output.one(info, info.ref(), summary);
    }

    /// Returns what a version requires, one a line; null if it is nothing.
    private static @Nullable String requires(@Nullable VersionDetail version) {
        var requires = version == null ? null : version.requires();
        return requires == null
                ? null
                : requires.stream()
                        .map(one -> one.bundle() + " " + one.range()
                                + (Boolean.TRUE.equals(one.optional()) ? " (optional)" : ""))
                        .collect(Collectors.joining("\n"));
    }

    /// Returns who approved a version, one a line; null if nobody did.
    private static @Nullable String approvals(@Nullable VersionDetail version) {
        var approvals = version == null ? null : version.approvedBy();
        return approvals == null
                ? null
                : approvals.stream()
                        .map(one -> "by " + Objects.requireNonNullElse(one.name(), one.by()) + " on "
                                + LocalDate.ofInstant(one.at(), ZoneOffset.UTC))
                        .collect(Collectors.joining("\n"));
    }

    /// Returns a version; null if it is gone.
    private static @Nullable VersionDetail detail(Bundle bundle, String version) {
        try {
            return bundle.version(Version.parse(version));
        } catch (SheafException.NotFound e) {
            return null;
        }
    }

    /// Returns the passport; empty if the registry does not know passports.
    private static Optional<VersionPassport> passport(Bundle bundle, String version) {
        try {
            return Optional.of(bundle.passport(version, null));
        } catch (SheafException.NotFound e) {
            return Optional.empty();
        }
    }

    private static Summary version(VersionPassport passport) {
        var since = passport.since();
        return new Summary()
                .line("version", passport.namespace() + "/" + passport.slug() + ":" + passport.version())
                .line("digest", passport.ociDigest())
                .line("since", since == null ? null : since.version());
    }

    private static void brief(Summary summary, VersionPassport passport) {
        for (var row : PassportRow.values()) {
            if (!passport.rows().of(row).isEmpty()) {
                summary.text(label(row), text(row, passport));
            }
        }
        rest(summary, passport);
    }

    private static Summary lines(Summary summary, VersionPassport passport) {
        for (var row : PassportRow.values()) {
            summary.text(label(row), text(row, passport));
        }
        return rest(summary, passport);
    }

    private static Summary rest(Summary summary, VersionPassport passport) {
        var findings = passport.rows().findings(Severity.MEDIUM);
        if (!findings.isEmpty()) {
            summary.text("look first", findings(findings));
        }
        if (!passport.complete()) {
            summary.line("not read", unread(passport));
        }
        return summary;
    }

    private static String label(PassportRow row) {
        return PassportSummary.label(row).toLowerCase(Locale.ROOT);
    }

    private static String text(PassportRow row, VersionPassport passport) {
        var lines = new ArrayList<String>();
        var phrases = PassportSummary.of(row, passport.rows().of(row));
        lines.add(
                phrases.isEmpty()
                        ? PassportSummary.none(row)
                        : phrases.stream().map(PassportSummary.Phrase::toString).collect(Collectors.joining("\n")));
        var change = passport.change();
        if (change != null) {
            // what is new stands below what is there
            PassportSummary.news(row, change).forEach(news -> lines.add((news.isAdded() ? "+ " : "- ") + news));
        }
        return String.join("\n", lines);
    }

    private static String findings(List<Passport.Entry> findings) {
        String lines =
                findings.stream().limit(MOST_FINDINGS).map(InfoCommand::finding).collect(Collectors.joining("\n"));
        return lines + (findings.size() > MOST_FINDINGS ? "\nand " + (findings.size() - MOST_FINDINGS) + " more" : "");
    }

    private static String finding(Passport.Entry finding) {
        String text = PassportRules.find(finding.rule()).map(PassportRule::text).orElse(finding.rule());
        String place = finding.places().isEmpty()
                ? ""
                : " (" + finding.places().getFirst().path() + ":"
                        + finding.places().getFirst().line() + ")";
        return finding.severity() + ": " + text + ": " + finding.what() + place;
    }

    private static String unread(VersionPassport passport) {
        return passport.unread().stream()
                .map(one -> (one.path().isEmpty() ? "" : one.path() + " ") + "(" + one.reason() + ")")
                .collect(Collectors.joining(", "));
    }
}
