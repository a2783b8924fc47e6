package dev.sheaf.cli.account;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.terminal.Confirmation;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.OrganizationCalls;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.wire.org.Transfer;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// The commands of `sheaf org` that transfer a namespace to another organization.
final class TransferCommands {
    private TransferCommands() {}

    static void add(CommandLine org, Supplier<Connection> connections) {
        org.addSubcommand(new Offer(connections.get())).addSubcommand(new ListAll(connections.get()));
        org.addSubcommand(
                "accept",
                described(
                        new End("take over", OrganizationCalls::accept, connections.get()),
                        "Accepts an offered namespace, with everything in it."));
        org.addSubcommand(
                "decline",
                described(
                        new End("decline", OrganizationCalls::decline, connections.get()),
                        "Declines an offered namespace."));
        org.addSubcommand(
                "cancel",
                described(
                        new End("cancel the offer of", OrganizationCalls::cancel, connections.get()),
                        "Cancels an offer of a namespace."));
    }

    private static CommandLine described(Object command, String description) {
        var line = new CommandLine(command);
        line.getCommandSpec().usageMessage().description(description);
        return line;
    }

    @Command(
            name = "transfer",
            description = "Offers a namespace to another organization. Nothing moves until that organization accepts: "
                    + "sheaf org accept ID.")
    static final class Offer extends OrgCommand.OfOrganization {
        @Parameters(index = "0", paramLabel = "NAMESPACE", description = "The namespace to offer.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private Namespace namespace;

        @Parameters(index = "1", paramLabel = "TO", description = "Handle or id of the other organization.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String to;

        @Mixin
        private final Confirmation confirmation;

        Offer(Connection connection) {
            super(connection);
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        protected boolean ready() {
            return confirmation.given(
                    "offer " + namespace + " with everything in it to " + to + " at " + connection.url());
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var offer = organization(client).offer(namespace, to);
            output.show(offer, shell -> shell.out().println(offer.id()), () -> java.util.List.of(offer.id()));
            output.say(Text.showable("offered " + offer.namespace() + " to " + offer.to() + " until "
                    + Text.time(offer.expiresAt()) + "; to cancel the offer: sheaf org cancel " + offer.id()));
            return ExitCode.OK;
        }
    }

    @Command(name = "transfers", description = "Lists namespaces that are offered to or by the organization.")
    static final class ListAll extends OrgCommand.OfOrganization {
        ListAll(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var all = organization(client).transfers();
            var table = new Table("ID", "STATE", "NAMESPACE", "FROM", "TO", "UNTIL");
            all.forEach(transfer -> table.row(
                    transfer.id(),
                    transfer.state(),
                    transfer.namespace(),
                    transfer.from(),
                    transfer.to(),
                    Text.time(transfer.expiresAt())));
            output.list(all, Transfer::id, table, "there are no offers");
            return ExitCode.OK;
        }
    }

    /// `accept`, `decline` or `cancel`, depending on the name it is added with.
    @Command
    static final class End extends OrgCommand.OfOrganization {
        private final String what;
        private final BiFunction<OrganizationCalls, UUID, Transfer> end;

        @Parameters(paramLabel = "ID", description = "Id of the offer, as shown by sheaf org transfers.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private IdOrEnd id;

        @Mixin
        private final Confirmation confirmation;

        End(String what, BiFunction<OrganizationCalls, UUID, Transfer> end, Connection connection) {
            super(connection);
            this.what = what;
            this.end = end;
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        protected boolean ready() {
            return confirmation.given(what + " the namespace of the offer " + id + " at " + connection.url());
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var organization = organization(client);
            var over = end.apply(organization, id.among("offer", organization::transfers, Transfer::id));
            output.done(over, over.state(), "the offer of " + over.namespace() + " is " + over.state());
            return ExitCode.OK;
        }
    }
}
