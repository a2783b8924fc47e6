package dev.sheaf.server.local;

import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Role;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.SessionRecord;
import dev.sheaf.server.config.CommandFlags;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.identity.PasswordRules;
import dev.sheaf.server.identity.signin.AccountAdministration;
import dev.sheaf.server.identity.signin.IdentityParts;
import dev.sheaf.server.identity.signin.NewUser;
import dev.sheaf.server.module.IdentityModule;
import dev.sheaf.server.module.OrgModule;
import dev.sheaf.server.module.SecretsModule;
import dev.sheaf.server.node.LogSetup;
import dev.sheaf.server.node.NodeBase;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `sheaf admin user create|reset-password|remove-totp … --local`: manages accounts without a server, for
/// operators with access to the storage. One of two ways to create the first owner of an installation. The
/// other way is the first API key.
@Command(
        name = "sheaf admin user",
        customSynopsis = LocalUsers.USAGE,
        description = "Creates accounts directly in the storage. With embedded storage no server may use the"
                + " data directory.%n",
        footer = "%nA setting is read as for sheaf serve; sheaf config lists all of them.")
public final class LocalUsers implements CommandFlags.Command {
    static final String USAGE = "sheaf admin user create --email ADDRESS [--name NAME] [--organization ORG --role ROLE]"
            + " [--password-stdin] --local, or sheaf admin user reset-password|remove-totp USER --local";
    private static final int LONGEST = 4_000;

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;

    @Parameters(arity = "0..*", hidden = true)
    private List<String> operands = new ArrayList<>();

    @Option(names = "--local", hidden = true) // read by the launcher
    private boolean local;

    @Option(names = "--email", paramLabel = "ADDRESS", description = "The address of the new account.")
    private @Nullable String email;

    @Option(names = "--name", paramLabel = "NAME", description = "The person's name.")
    private @Nullable String name;

    @Option(names = "--organization", paramLabel = "ORG", description = "The organization that the person joins.")
    private @Nullable String organization;

    @Option(names = "--role", paramLabel = "ROLE", description = "The person's role there; reader by default.")
    private @Nullable String role;

    @Option(names = "--password-stdin", description = "Reads the password from standard input.")
    private boolean passwordStdin;

    public LocalUsers(InputStream in, PrintStream out, PrintStream err) {
        this.in = in;
        this.out = out;
        this.err = err;
    }

    /// @param arguments the arguments after `admin user`
    public ServerExit run(List<String> arguments, Map<String, String> environment) throws Config.InvalidException {
        return CommandFlags.run(this, arguments, environment, out);
    }

    @Override
    public ServerExit run(Config config) {
        LogSetup.start(config.text(Setting.LOG_LEVEL));
        try (var node = NodeBase.open(config, InstantSource.system())) {
            var secrets = new SecretsModule(node);
            var org = new OrgModule(node, secrets);
            org.checkThere();
            show(change(new IdentityModule(node, secrets, org).identity()));
            return ServerExit.OK;
        } catch (ProblemException e) {
            err.println("sheaf: " + e.problem().detail());
            return ServerExit.FAILED;
        }
    }

    private AccountAdministration.Handed change(IdentityParts identity) {
        if (operands.equals(List.of("create")) && email != null) {
            var wanted = new NewUser(
                    EmailAddress.parse(email), name, passwordStdin ? password() : null, organization, role());
            return identity.administration().create(operator(), wanted);
        }
        if (operands.size() == 2 && operands.getFirst().equals("reset-password")) {
            return identity.administration().resetPassword(operator(), operands.getLast());
        }
        if (operands.size() == 2 && operands.getFirst().equals("remove-totp")) {
            return new AccountAdministration.Handed(
                    identity.administration().removeTotp(operator(), operands.getLast()), null);
        }
        throw new StartException(ServerExit.USAGE, USAGE);
    }

    private Role role() {
        return role == null ? Role.READER : Role.parse(role);
    }

    private @Nullable Secret password() {
        try {
            String text = new String(in.readNBytes(LONGEST), StandardCharsets.UTF_8).replaceFirst("\\R$", "");
            PasswordRules.checkLength(text);
            return Secret.of(text);
        } catch (IOException e) {
            throw new StartException(ServerExit.FAILED, "the password cannot be read: " + e.getMessage());
        }
    }

    /// Returns an origin without a credential, because a person who runs this has access to the storage.
    private static ChangeOrigin operator() {
        return new ChangeOrigin(
                new Caller.Known(
                        new Credential.Operator("sheaf admin --local, run by " + System.getProperty("user.name")),
                        SessionRecord.NO_ORGANIZATION,
                        Scope.ADMIN,
                        CredentialRestrictions.NONE,
                        Grant.ALL,
                        null),
                "local",
                "local");
    }

    private void show(AccountAdministration.Handed handed) {
        err.println("account " + handed.user().email() + " (" + handed.user().id() + ")");
        var ticket = handed.ticket();
        if (ticket != null) {
            err.println("hand this token to its owner, who sets a password with it (POST /v1/users:setPassword);"
                    + " it works once, until " + ticket.endsAt());
            out.println(ticket.secret().expose());
        }
    }
}
