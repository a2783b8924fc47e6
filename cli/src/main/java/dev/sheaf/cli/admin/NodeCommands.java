package dev.sheaf.cli.admin;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.wire.admin.ModeRecord;
import dev.sheaf.model.wire.admin.NodeHealth;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Commands about running nodes.
public final class NodeCommands {
    private static final String READ_ONLY = "read-only";
    private static final String WRITABLE = "writable";

    private NodeCommands() {}

    @Command(
            name = "health",
            description = {
                "Shows the health of the node that answers, part by part.",
                "The exit status is 1 if the node is not ready."
            })
    public static final class Health extends RegistryCommand {
        public Health(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var health = client.upkeep().health();
            var table = new Table("PART", "STATUS", "DETAIL");
            health.parts().forEach(part -> table.row(part.name(), part.status(), detail(part)));
            output.show(
                    health,
                    shell -> {
                        new Summary().line("status", health.status()).print(shell);
                        table.print(shell, "");
                    },
                    () -> List.of(health.status()));
            return health.status().equals("down") ? ExitCode.GENERAL : ExitCode.OK;
        }

        private static String detail(NodeHealth.Part part) {
            return part.detail() == null ? "" : part.detail();
        }
    }

    @Command(
            name = "mode",
            description = {
                "Shows or sets the mode of the installation: read-only or writable.",
                "While it is read-only, requests that change something get 503; pulls, sign-ins and tokens still work."
            })
    public static final class Mode extends RegistryCommand {
        @Parameters(
                arity = "0..1",
                paramLabel = "read-only|writable",
                description = "The new mode. Without it, the current mode is shown.")
        private @Nullable String mode;

        @Option(
                names = "--reason",
                paramLabel = "TEXT",
                description = "The reason, shown to clients whose requests are refused.")
        private @Nullable String reason;

        public Mode(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            if (mode != null && !mode.equals(READ_ONLY) && !mode.equals(WRITABLE)) {
                output.fail("the mode must be read-only or writable, not " + mode);
                return ExitCode.USAGE;
            }
            var now = mode == null ? client.upkeep().mode() : client.upkeep().setMode(mode.equals(READ_ONLY), reason);
            String word = word(now);
            output.show(
                    now,
                    shell -> new Summary()
                            .line("mode", word)
                            .line("reason", now.reason())
                            .line("set by", now.setBy())
                            .print(shell),
                    () -> List.of(word));
            return ExitCode.OK;
        }

        private static String word(ModeRecord mode) {
            return mode.readOnly() ? READ_ONLY : WRITABLE;
        }
    }
}
