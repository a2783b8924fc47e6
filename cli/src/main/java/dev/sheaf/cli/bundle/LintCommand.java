package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Display;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.bundle.BundleSource;
import dev.sheaf.client.bundle.Finding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "lint",
        description = "Checks sheaf.yaml and each SKILL.md, and looks for secrets. Exit status 2 if something is "
                + "wrong; warnings alone leave it 0.")
public final class LintCommand implements Callable<Integer> {
    private final Shell shell;

    @Mixin
    private final Output output;

    @Parameters(paramLabel = "DIR", arity = "0..1", description = "The directory. Default: the current one.")
    private Path folder = Path.of("");

    @Option(names = "--allow-secrets", description = "Report what looks like a secret as a warning only.")
    private boolean allowed;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    public LintCommand(Shell shell) {
        this.shell = shell;
        this.output = new Output(shell);
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

    @Override
    public Integer call() {
        SourceFolder.check(spec, folder);
        var source = BundleSource.read(folder, new Display(shell, output));
        var findings = new ArrayList<>(source.findings());
        var secrets = source.secrets();
        findings.addAll(allowed ? secrets : Finding.asErrors(secrets));
        output.show(
                findings.stream().map(Shown::of).toList(),
                to -> findings.forEach(finding -> to.out().println(line(finding))),
                () -> findings.stream().map(LintCommand::line).toList());
        var file = source.file();
        if (source.isSound() && file != null && (allowed || secrets.isEmpty())) {
            output.say(file.reference() + ": " + Text.count(source.assets().size(), "file") + ", "
                    + (findings.isEmpty() ? "nothing wrong" : Text.count(findings.size(), "warning")));
            return ExitCode.OK.status();
        }
        return ExitCode.USAGE.status();
    }

    /// Formats a finding as compilers do, so that editors find the place.
    private static String line(Finding finding) {
        String place = finding.file() + (finding.line() > 0 ? ":" + finding.line() : "");
        return Text.showable(place + ": " + word(finding) + ": " + finding.message());
    }
}
