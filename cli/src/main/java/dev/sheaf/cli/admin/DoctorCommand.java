package dev.sheaf.cli.admin;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.Doctor;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "doctor",
        description = "Checks connection, clock, key, cache and folders. Suggests what to do. Exit status 1 if a "
                + "check fails.")
public final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private final Connection connection;

    @Mixin
    private final Output output;

    public DoctorCommand(Connection connection) {
        this.connection = connection;
        this.output = connection.output();
    }

    /// The JSON of a check.
    record Shown(
            String check,
            String state,
            String detail,
            @Nullable String next) {
        static Shown of(Doctor.Check check) {
            return new Shown(check.name(), word(check), check.detail(), check.next());
        }
    }

    private static String word(Doctor.Check check) {
        return check.state().name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Integer call() {
        var shell = connection.shell();
        var checks = new Doctor(
                        connection.url(),
                        connection.network(),
                        connection.credentials(),
                        shell.directories(),
                        shell.cacheFolder())
                .run();
        var failed = checks.stream()
                .filter(check -> check.state() == Doctor.State.FAILED)
                .map(Doctor.Check::name)
                .toList();
        output.show(checks.stream().map(Shown::of).toList(), to -> print(checks, to), () -> failed);
        return (failed.isEmpty() ? ExitCode.OK : ExitCode.GENERAL).status();
    }

    private static void print(List<Doctor.Check> checks, Shell shell) {
        var table = new Table("CHECK", "STATE", "DETAIL");
        checks.forEach(check -> table.row(check.name(), word(check), check.detail()));
        table.print(shell, "nothing to check");
        checks.stream()
                .filter(check -> check.next() != null)
                .forEach(check -> shell.say(check.name() + ": " + Text.showable(String.valueOf(check.next()))));
    }
}
