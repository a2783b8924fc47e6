package dev.sheaf.server.local;

import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Role;
import dev.sheaf.model.Scope;
import dev.sheaf.model.Secret;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.auth.Restrictions;
import dev.sheaf.server.auth.SessionRecord;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.Exit;
import dev.sheaf.server.config.Flags;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.identity.PasswordRules;
import dev.sheaf.server.identity.signin.Administration;
import dev.sheaf.server.identity.signin.Identity;
import dev.sheaf.server.identity.signin.NewUser;
import dev.sheaf.server.module.AuthModule;
import dev.sheaf.server.module.IdentityModule;
import dev.sheaf.server.module.OrgModule;
import dev.sheaf.server.node.Logging;
import dev.sheaf.server.node.Node;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `sheaf admin user create|reset-password|remove-totp … --local`: accounts without a server, for who has the
/// storage at hand. The first owner of an installation is made so, or with the first key.
public final class LocalUsers {
    private static final Set<String> OWN = Set.of("--email", "--name", "--organization", "--role");
    private static final Set<String> FLAGS = Set.of("--local", "--password-stdin");
    private static final int LONGEST = 4_000;

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;

    public LocalUsers(InputStream in, PrintStream out, PrintStream err) {
        this.in = in;
        this.out = out;
        this.err = err;
    }

    /// @param operands the command and what it is about
    /// @param options of this command by their names
    /// @param settings all other options
    private record Request(
            List<String> operands, Map<String, String> options, Set<String> flags, List<String> settings) {
        static Request parse(List<String> arguments) {
            var operands = new ArrayList<String>();
            var options = new LinkedHashMap<String, String>();
            var settings = new ArrayList<String>();
            var flags = new HashSet<String>();
            for (int i = 0; i < arguments.size(); i++) {
                String argument = arguments.get(i);
                int equals = argument.indexOf('=');
                String name = equals < 0 ? argument : argument.substring(0, equals);
                if (!argument.startsWith("--")) {
                    operands.add(argument);
                } else if (FLAGS.contains(argument)) {
                    flags.add(argument);
                } else if (equals < 0 && i + 1 == arguments.size()) {
                    throw new StartException(Exit.USAGE, argument + " needs a value");
                } else {
                    String value = equals < 0 ? arguments.get(++i) : argument.substring(equals + 1);
                    if (OWN.contains(name)) {
                        options.put(name, value);
                    } else {
                        settings.add(name + "=" + value);
                    }
                }
            }
            return new Request(operands, options, flags, settings);
        }

        Optional<String> option(String name) {
            return Optional.ofNullable(options.get(name));
        }
    }

    /// @param arguments those behind `admin user`
    public Exit run(List<String> arguments, Map<String, String> environment) throws Config.InvalidException {
        var request = Request.parse(arguments);
        var config = Config.load(Flags.read(request.settings()), environment);
        Logging.start(config.text(Setting.LOG_LEVEL));
        try (var node = Node.open(config, InstantSource.system())) {
            var auth = new AuthModule(node);
            var org = new OrgModule(node, auth);
            org.checkThere();
            show(change(request, new IdentityModule(node, auth, org).identity()));
            return Exit.OK;
        } catch (ProblemException e) {
            err.println("sheaf: " + e.problem().detail());
            return Exit.FAILED;
        }
    }

    private Administration.Handed change(Request request, Identity identity) {
        var operands = request.operands();
        if (operands.equals(List.of("create")) && request.option("--email").isPresent()) {
            var role = request.option("--role").map(Role::parse).orElse(Role.READER);
            var wanted = new NewUser(
                    EmailAddress.parse(request.option("--email").orElseThrow()),
                    request.option("--name").orElse(null),
                    request.flags().contains("--password-stdin") ? password() : null,
                    request.option("--organization").orElse(null),
                    role);
            return identity.administration().create(operator(), wanted);
        }
        if (operands.size() == 2 && operands.getFirst().equals("reset-password")) {
            return identity.administration().resetPassword(operator(), operands.getLast());
        }
        if (operands.size() == 2 && operands.getFirst().equals("remove-totp")) {
            return new Administration.Handed(
                    identity.administration().removeTotp(operator(), operands.getLast()), null);
        }
        throw new StartException(
                Exit.USAGE,
                "sheaf admin user create --email ADDRESS [--name NAME] [--organization ORG --role ROLE]"
                        + " [--password-stdin] --local, or sheaf admin user reset-password|remove-totp USER --local");
    }

    private @Nullable Secret password() {
        try {
            String text = new String(in.readNBytes(LONGEST), StandardCharsets.UTF_8).replaceFirst("\\R$", "");
            PasswordRules.checkLength(text);
            return Secret.of(text);
        } catch (IOException e) {
            throw new StartException(Exit.FAILED, "the password cannot be read: " + e.getMessage());
        }
    }

    /// Whoever has the storage at hand needs no credential.
    private static Origin operator() {
        return new Origin(
                new Caller.Known(
                        new Credential.Operator("sheaf admin --local, run by " + System.getProperty("user.name")),
                        SessionRecord.NO_ORGANIZATION,
                        Scope.ADMIN,
                        Restrictions.NONE,
                        Grant.ALL,
                        null),
                "local",
                "local");
    }

    private void show(Administration.Handed handed) {
        err.println("account " + handed.user().email() + " (" + handed.user().id() + ")");
        var ticket = handed.ticket();
        if (ticket != null) {
            err.println("hand this token to its owner, who sets a password with it (POST /v1/users:setPassword);"
                    + " it works once, until " + ticket.endsAt());
            out.println(ticket.secret().expose());
        }
    }
}
