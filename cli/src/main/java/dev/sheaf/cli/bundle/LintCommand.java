package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.cli.terminal.TransferDisplay;
import dev.sheaf.client.bundle.BundleFile;
import dev.sheaf.client.bundle.BundleSource;
import dev.sheaf.client.bundle.Finding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The command `sheaf lint`.
public final class LintCommand extends CliCommand {
    private final Shell shell;
    private final Output output;
    private final OptionalValue<Path> folder =
            optionalArgument(Path.class, "DIR", "The directory. Default: the current one.");
    private final FlagOption allowed = flag("--allow-secrets", "Report what looks like a secret as a warning only.");

    public LintCommand(Shell shell) {
        super(
                "lint",
                "Checks sheaf.yaml, skills and plugins, and looks for secrets. Names the findings of the skill passport too. "
                        + "Exit status 2 if something is wrong; warnings alone leave it 0.");
        this.shell = shell;
        this.output = use(new Output(shell));
        setWork(this::check);
    }

    /// The JSON of a finding.
    record Shown(String file, int line, String severity, String message) {
        static Shown of(Finding finding) {
            return new Shown(finding.file(), finding.line(), word(finding), finding.message());
        }
    }

    private static String word(Finding finding) {
        return finding.severity().name().toLowerCase(Locale.ROOT);
    }

    private ExitCode check() {
        Path from = folder.or(Path.of(""));
        SourceFolder.check(this, from);
        var source = BundleSource.read(from, new TransferDisplay(shell, output));
        var findings = new ArrayList<>(source.isDescribed() ? source.findings() : ofFiles(source));
        var secrets = source.secrets();
        findings.addAll(source.passportFindings());
        findings.addAll(allowed.isGiven() ? secrets : Finding.asErrors(secrets));
        output.show(
                findings.stream().map(Shown::of).toList(),
                to -> findings.forEach(finding -> to.out().println(line(finding))),
                () -> findings.stream().map(LintCommand::line).toList());
        if (findings.stream().anyMatch(finding -> finding.severity() == Finding.Severity.ERROR)) {
            return ExitCode.USAGE;
        }
        var file = source.file();
        long warnings = findings.stream()
                .filter(finding -> finding.severity() == Finding.Severity.WARNING)
                .count();
        output.say((file == null ? "" : file.reference() + ": ")
                + TextFormat.count(source.assets().size(), "file") + ", "
                + (warnings == 0 ? "nothing wrong" : TextFormat.count(warnings, "warning")));
        return ExitCode.OK;
    }

    /// Returns the findings of a folder without a description, which a push with a reference takes.
    private static List<Finding> ofFiles(BundleSource source) {
        return Stream.concat(
                        Stream.of(new Finding(
                                BundleFile.NAME,
                                0,
                                Finding.Severity.INFO,
                                "missing; to push without it: sheaf push DIR NAMESPACE/BUNDLE:VERSION; to create it:"
                                        + " sheaf init NAMESPACE/BUNDLE DIR")),
                        source.findings().stream()
                                .filter(finding -> !finding.file().equals(BundleFile.NAME)))
                .toList();
    }

    /// Formats a finding as compilers do, so that editors find the place.
    private static String line(Finding finding) {
        String place = finding.file() + (finding.line() > 0 ? ":" + finding.line() : "");
        return TextFormat.showable(place + ": " + word(finding) + ": " + finding.message());
    }
}
