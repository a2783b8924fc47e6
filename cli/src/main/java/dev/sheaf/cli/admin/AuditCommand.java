package dev.sheaf.cli.admin;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.RegistryCommand;

import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.wire.admin.AuditRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The audit log, for who looks after an installation.
@Command(
        name = "audit",
        description = "Proves that the audit log is whole, or exports it.",
        synopsisSubcommandLabel = "COMMAND")
public final class AuditCommand {
    /// Proves that nothing was altered or taken out.
    @Command(
            name = "verify",
            description = {
                "Proves that nothing was altered in the audit log or taken out of it, and prints where it ends.",
                "With --local, without a server."
            })
    public static final class Verify extends RegistryCommand {
        private static final String SHAPE = "[0-9]{1,18}:[0-9a-f]{64}";

        @Option(
                names = "--expect",
                paramLabel = "SEQ:HASH",
                description = "An end that was printed before, and must still be in the log.")
        private @Nullable String expected;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        public Verify(Connection connection) {
            super(connection);
        }

        @Override
        protected boolean ready() {
            if (expected != null && !expected.matches(SHAPE)) {
                throw new ParameterException(
                        spec.commandLine(), "--expect takes SEQ:HASH, as this command prints it at the end");
            }
            return true;
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var status = AdminCommand.Run.run(client, "audit-verify", output);
            if (status == ExitCode.OK && expected != null) {
                long seq = Long.parseLong(expected.substring(0, expected.indexOf(':')));
                String found = client.audit().at(seq).map(AuditRecord::hash).orElse("nothing");
                if (!expected.endsWith(":" + found)) {
                    throw new SheafException.Integrity("the audit log has another entry at " + seq + ": " + found
                            + "; an older state of the database was put back, or the log made anew");
                }
                output.say("the entry " + seq + " is the one that was expected");
            }
            return status;
        }
    }

    /// Writes the log as JSON lines.
    @Command(name = "export", description = "Writes the whole log as JSON lines, the oldest entry first.")
    public static final class Export implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Option(
                names = "--organization",
                paramLabel = "HANDLE",
                description = "That of one organization, for its admins; else that of the installation.")
        private @Nullable String organization;

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FILE",
                description = "A new file to write; else standard output.")
        private @Nullable Path output;

        public Export(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Integer call() throws IOException {
            try (var client = connection.open()) {
                if (output == null) {
                    client.audit().export(organization, connection.shell().out());
                } else {
                    client.audit().export(organization, output);
                    connection.shell().say("wrote " + output);
                }
            }
            return ExitCode.OK.status();
        }
    }
}
