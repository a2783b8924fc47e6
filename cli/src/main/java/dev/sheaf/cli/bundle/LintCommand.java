package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.cli.terminal.TransferDisplay;
import dev.sheaf.client.bundle.BundleSource;
import dev.sheaf.client.bundle.Finding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Locale;

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
                "Checks sheaf.yaml and each SKILL.md, and looks for secrets. Exit status 2 if something is wrong; "
                        + "warnings alone leave it 0.");
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
        var findings = new ArrayList<>(source.findings());
        var secrets = source.secrets();
        findings.addAll(allowed.isGiven() ? secrets : Finding.asErrors(secrets));
        output.show(
                findings.stream().map(Shown::of).toList(),
                to -> findings.forEach(finding -> to.out().println(line(finding))),
                () -> findings.stream().map(LintCommand::line).toList());
        var file = source.file();
        if (source.isSound() && file != null && (allowed.isGiven() || secrets.isEmpty())) {
            output.say(
                    file.reference() + ": " + TextFormat.count(source.assets().size(), "file") + ", "
                            + (findings.isEmpty() ? "nothing wrong" : TextFormat.count(findings.size(), "warning")));
            return ExitCode.OK;
        }
        return ExitCode.USAGE;
    }

    /// Formats a finding as compilers do, so that editors find the place.
    private static String line(Finding finding) {
        String place = finding.file() + (finding.line() > 0 ? ":" + finding.line() : "");
        return TextFormat.showable(place + ": " + word(finding) + ": " + finding.message());
    }
}
