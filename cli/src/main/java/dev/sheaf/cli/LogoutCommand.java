package dev.sheaf.cli;

import dev.sheaf.client.Credentials;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "logout",
        description = "Forgets the key that is kept for the registry. It stays valid: see keys revoke.")
final class LogoutCommand implements Callable<Integer> {
    @Mixin
    private final Connection connection;

    LogoutCommand(Connection connection) {
        this.connection = connection;
    }

    @Override
    public Integer call() {
        var shell = connection.shell();
        boolean none = connection.credentials().forget().isEmpty();
        shell.say((none ? "no key was kept for " : "logged out of ") + connection.url());
        warnOfVariable(shell);
        return ExitCode.OK.status();
    }

    static void warnOfVariable(Shell shell) {
        if (!shell.environment().getOrDefault(Credentials.VARIABLE, "").isBlank()) {
            shell.say("note: " + Credentials.VARIABLE + " is set and goes before every key that is kept");
        }
    }
}
