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

/// Groups the commands about the audit log.
@Command(name = "audit", description = "Verifies the audit log, or exports it.", synopsisSubcommandLabel = "COMMAND")
public final class AuditCommand {
    /// Verifies that no entry was changed or removed.
    @Command(
            name = "verify",
            description = {
                "Verifies that no entry of the audit log was changed or removed. Prints its last entry.",
                "With --local it needs no server."
            })
    public static final class Verify extends RegistryCommand {
        private static final String SHAPE = "[0-9]{1,18}:[0-9a-f]{64}";

        @Option(
                names = "--expect",
                paramLabel = "SEQ:HASH",
                description = "The last entry, as an earlier run printed it. It must still be in the log.")
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
                        spec.commandLine(), "--expect takes SEQ:HASH, the last entry that an earlier run printed");
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
                    throw new SheafException.Integrity("the audit log has a different entry at " + seq + ": " + found
                            + "; an older state of the database was restored, or the log was created again");
                }
                output.say("the entry " + seq + " is as expected");
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
                description =
                        "The organization whose log to export, for its admins. Default: the log of the installation.")
        private @Nullable String organization;

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FILE",
                description = "A new file to write. Default: standard output.")
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
