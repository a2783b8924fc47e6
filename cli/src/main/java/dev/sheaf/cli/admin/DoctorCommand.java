package dev.sheaf.cli.admin;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.Doctor;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The command `sheaf doctor`.
public final class DoctorCommand extends CliCommand {
    private static final Table<Doctor.Check> TABLE = new Table<Doctor.Check>()
            .column("CHECK", Doctor.Check::name)
            .column("STATE", DoctorCommand::word)
            .column("DETAIL", Doctor.Check::detail);

    private final Connection connection;
    private final Output output;

    public DoctorCommand(Connection connection) {
        super(
                "doctor",
                "Checks connection, clock, key, cache and folders. Suggests what to do. Exit status 1 if a check fails.");
        this.connection = use(connection);
        this.output = use(connection.output());
        setWork(this::check);
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

    private ExitCode check() {
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
        return failed.isEmpty() ? ExitCode.OK : ExitCode.GENERAL;
    }

    private static void print(List<Doctor.Check> checks, Shell shell) {
        TABLE.print(shell, checks, "nothing to check");
        checks.stream()
                .filter(check -> check.next() != null)
                .forEach(check -> shell.say(check.name() + ": " + TextFormat.showable(String.valueOf(check.next()))));
    }
}
