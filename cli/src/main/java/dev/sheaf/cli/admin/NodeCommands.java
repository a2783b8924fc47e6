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

    private static String word(ModeRecord mode) {
        return mode.readOnly() ? READ_ONLY : WRITABLE;
    }

    private static Summary describe(ModeRecord mode, Summary summary) {
        return summary.line("mode", word(mode)).line("reason", mode.reason()).line("set by", mode.setBy());
    }

    @Command(
            name = "health",
            description = {
                "Shows the health of the node that answers, part by part, and whether it is read-only.",
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
                        summary(health).print(shell);
                        table.print(shell, "");
                    },
                    () -> List.of(health.status()));
            return health.status().equals("down") ? ExitCode.GENERAL : ExitCode.OK;
        }

        private static Summary summary(NodeHealth health) {
            var summary = new Summary().line("status", health.status());
            var mode = health.mode();
            return mode == null ? summary : describe(mode, summary);
        }

        private static String detail(NodeHealth.Part part) {
            return part.detail() == null ? "" : part.detail();
        }
    }

    @Command(
            name = "mode",
            description = {
                "Shows or sets the mode of the installation: read-only or writable.",
                "While it is read-only, requests that change something get 503; pulls, sign-ins and tokens still work.",
                "The setting read-only of a node wins: the exit status is 1 if it keeps the node that answers read-only."
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
                description = "The reason for read-only, shown to clients whose requests are refused.")
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
            if (reason != null && !READ_ONLY.equals(mode)) {
                output.fail("--reason explains refusals, so it goes only with read-only");
                return ExitCode.USAGE;
            }
            var now = mode == null ? client.upkeep().mode() : client.upkeep().setMode(mode.equals(READ_ONLY), reason);
            String word = word(now);
            output.show(now, shell -> describe(now, new Summary()).print(shell), () -> List.of(word));
            if (WRITABLE.equals(mode) && now.readOnly()) {
                output.fail(
                        "the installation is writable, but the setting read-only of the node that answered wins: change it"
                                + " to false there");
                return ExitCode.GENERAL;
            }
            return ExitCode.OK;
        }
    }
}
