package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.command.Removed;
import dev.sheaf.cli.terminal.Confirmation;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Commands that change a bundle as a whole.
public final class BundleCommands {
    private BundleCommands() {}

    /// A command about one bundle.
    abstract static class OfBundle extends RegistryCommand {
        @Parameters(index = "0", paramLabel = "BUNDLE", description = "namespace/bundle.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        RepositoryName bundle;

        OfBundle(Connection connection) {
            super(connection);
        }
    }

    @Command(
            name = "delete",
            description = "Deletes a version for good, or a whole bundle. A bundle (a REF without a version) can be "
                    + "restored for 30 days.",
            footer = {
                "",
                "The number of a deleted version is never used again. To withdraw a version but keep it for users "
                        + "who pinned it: sheaf yank."
            })
    public static final class Delete extends VersionCommands.OfVersion {
        @Mixin
        private final Confirmation confirmation;

        @Option(
                names = "--reason",
                paramLabel = "TEXT",
                description = "The reason. Required if others downloaded it, or a version is older than 72 hours.")
        private @Nullable String reason;

        @Option(
                names = "--purge",
                description =
                        "Remove a version's bytes immediately, for content that should never have been published.")
        private boolean purge;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec command;

        public Delete(Connection connection) {
            super(connection);
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        protected boolean ready() {
            if (purge && (isWholeBundle() || reason == null)) {
                throw new ParameterException(
                        command.commandLine(),
                        "--purge is for one version, with a --reason: sheaf delete " + reference.repository()
                                + ":1.2.3 --purge --reason TEXT");
            }
            String what = isWholeBundle()
                    ? "delete the bundle " + reference.repository() + " with all its versions"
                    : "delete " + reference.repository() + ":" + version() + " for good";
            return confirmation.given(what + " at " + connection.url());
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var bundle = bundle(client);
            if (isWholeBundle()) {
                bundle.delete(reason);
                return removed("deleted " + reference + "; to restore it within 30 days: sheaf restore " + reference
                        + connection.typed());
            }
            if (!purge || reason == null) {
                bundle.delete(version(), reason);
                return removed("deleted " + reference);
            }
            var report = bundle.purge(version(), reason);
            report.kept()
                    .forEach(kept -> output.say(Text.showable("note: " + kept.digest()
                            + " stays, since it is needed by " + String.join(", ", kept.holders()))));
            output.done(
                    report,
                    reference,
                    "purged " + reference + ": " + Text.count(report.removed().size(), "blob") + " removed");
            return ExitCode.OK;
        }

        private ExitCode removed(String sentence) {
            output.done(new Removed(reference.toString()), reference, sentence);
            return ExitCode.OK;
        }
    }

    @Command(name = "restore", description = "Restores a deleted bundle. Needs the scope admin.")
    public static final class Restore extends OfBundle {
        public Restore(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var back = client.bundle(bundle).restore();
            output.done(back, back.ref(), back.ref() + " is restored, " + back.visibility());
            return ExitCode.OK;
        }
    }

    @Command(
            name = "visibility",
            description =
                    "Shows or changes who may read a bundle. Everybody may read a public bundle; only the members "
                            + "of its organization may read a private one.")
    public static final class ShowOrSetVisibility extends OfBundle {
        @Mixin
        private final Confirmation confirmation;

        @Parameters(index = "1", arity = "0..1", paramLabel = "VISIBILITY", description = "public or private.")
        private @Nullable Visibility visibility;

        public ShowOrSetVisibility(Connection connection) {
            super(connection);
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        protected boolean ready() {
            return visibility == null
                    || confirmation.given("make " + bundle + " " + visibility + " at " + connection.url());
        }

        @Override
        protected ExitCode run(SheafClient client) {
            if (visibility == null) {
                var now = client.bundle(bundle).info();
                output.show(
                        now, shell -> shell.out().println(now.visibility()), () -> java.util.List.of(now.visibility()));
                return ExitCode.OK;
            }
            var changed = client.bundle(bundle).edit(Map.of("visibility", visibility.toString()));
            output.done(changed, changed.visibility(), changed.ref() + " is " + changed.visibility() + " now");
            return ExitCode.OK;
        }
    }

    /// `star` or `unstar`, depending on the name it is added with.
    @Command
    public static final class Star extends OfBundle {
        private final boolean starred;

        public Star(boolean starred, Connection connection) {
            super(connection);
            this.starred = starred;
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var status = client.bundle(bundle).star(starred);
            output.done(
                    status,
                    status.starsCount(),
                    bundle + (starred ? " has your organization's star, " : " has lost your organization's star, ")
                            + Text.count(status.starsCount(), "star") + " in total");
            return ExitCode.OK;
        }
    }
}
