package dev.sheaf.cli.command;

import dev.sheaf.cli.terminal.Display;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.Bearer;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.credentials.Credentials;
import dev.sheaf.client.credentials.DockerCredentials;
import dev.sheaf.client.credentials.WorkflowIdentity;
import dev.sheaf.client.network.NetworkSettings;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/// Which registry, and as whom: the options that every command of the client shares.
public final class Connection {
    /// What help says of the key.
    public static final String KEY = "The key is that of the variable SHEAF_API_KEY, else what sheaf login keeps.";

    private final Shell shell;
    private final Output output;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Address of the registry. Else SHEAF_URL, else what login remembered, else "
                    + "http://127.0.0.1:8080.")
    private @Nullable RegistryUrl url;

    @Option(
            names = "--ca-file",
            paramLabel = "PEM",
            description = "Certificates of authorities to trust beside those of Java. Else SHEAF_CA_FILE.")
    private @Nullable Path authorities;

    private final NamedRegistry named;

    /// @param named what the references of the command line say of it
    public Connection(Shell shell, NamedRegistry named) {
        this.shell = shell;
        this.named = named;
        this.output = new Output(shell);
    }

    /// Adds that to the help of a command with a connection. The key is no option: it would stand in the list of
    /// processes.
    public static void nameTheKey(CommandLine command) {
        if (command.getCommandSpec().mixins().containsKey("connection")) {
            var usage = command.getCommandSpec().usageMessage();
            usage.footer(
                    Stream.concat(Stream.of(usage.footer()), Stream.of("", KEY)).toArray(String[]::new));
        }
    }

    /// How a command with this connection shows its results.
    public Output output() {
        return output;
    }

    public Shell shell() {
        return shell;
    }

    public Settings settings() {
        return new Settings(shell.directories().config());
    }

    /// That of `--url`, else of a reference, else the usual one.
    public RegistryUrl url() {
        if (!named.isNamed()) {
            return usual();
        }
        var meant = named.url(usual());
        if (url != null && !meant.equals(Optional.of(url))) {
            throw Problem.invalid("format", "the reference and --url name two registries; leave one out");
        }
        return meant.orElseGet(this::usual);
    }

    /// Where a command goes of which no reference names a registry.
    private RegistryUrl usual() {
        return set().orElse(RegistryUrl.DEFAULT);
    }

    private Optional<RegistryUrl> set() {
        if (url != null) {
            return Optional.of(url);
        }
        String variable = shell.environment().getOrDefault("SHEAF_URL", "");
        if (!variable.isBlank()) {
            return Optional.of(parsed(variable, "SHEAF_URL"));
        }
        var settings = settings();
        return settings.url().map(text -> parsed(text, settings.toString()));
    }

    /// Whether somebody said which registry is meant: by an option, a reference, a variable or the settings.
    public boolean isSet() {
        return named.isNamed() || set().isPresent();
    }

    /// @param place where the text is from, which whoever has to correct it must know
    private static RegistryUrl parsed(String text, String place) {
        try {
            return RegistryUrl.parse(text);
        } catch (ProblemException e) {
            throw Problem.invalid("format", place + ": " + e.getMessage());
        }
    }

    /// ` --url …` where that was typed, so that a command that is advised asks the same registry; else nothing.
    public String typed() {
        return url == null && !named.isNamed() ? "" : " --url " + url();
    }

    /// Whether the environment has a key, which goes before all that is kept.
    public boolean hasVariable() {
        return !environment().getOrDefault(Credentials.VARIABLE, "").isBlank();
    }

    /// The variable with the key is for the registry that is meant everywhere, and not for one that some reference
    /// names.
    private Map<String, String> environment() {
        return !named.isNamed() || url().equals(usual()) ? shell.environment() : withoutKey();
    }

    private Map<String, String> withoutKey() {
        var environment = new HashMap<>(shell.environment());
        environment.remove(Credentials.VARIABLE);
        return environment;
    }

    /// How the registry is reached.
    public NetworkSettings network() {
        return NetworkSettings.of(shell.environment(), authorities);
    }

    public Credentials credentials() {
        return new Credentials(url(), environment(), shell.keychain(), shell.directories(), network());
    }

    /// A client with the key that is found, or the session, or none.
    public SheafClient open() {
        return open(credentials().bearer().orElse(null));
    }

    /// A client of who publishes: the same, and where nothing is found, the workflow that this is a run of.
    SheafClient openToPublish() {
        Bearer found = credentials().bearer().orElse(null);
        return open(found == null ? workflow() : found);
    }

    private @Nullable Bearer workflow() {
        var environment = shell.environment();
        if (!url().equals(usual())) {
            return null; // its id_token, like its key, is for the registry that is meant everywhere
        }
        var identity = WorkflowIdentity.of(url(), network(), environment);
        if (identity.isEmpty() && "true".equals(environment.get("GITHUB_ACTIONS"))) {
            output.say("note: no key is set, and this job has no id_token to show; it gets one by the lines"
                    + " \"permissions:\" and \"  id-token: write\"");
        }
        return identity.orElse(null);
    }

    /// A client of any OCI registry, with what is kept for that one. The variable with the key is for the registry
    /// of Sheaf that is meant everywhere else, and for no other.
    public SheafClient openAt(RegistryUrl registry) {
        if (registry.equals(url())) {
            return open();
        }
        var environment = withoutKey();
        var credentials = new Credentials(registry, environment, shell.keychain(), shell.directories(), network());
        var builder = SheafClient.of(registry)
                .network(network())
                .cache(shell.cacheFolder())
                .progress(new Display(shell, output));
        var own = credentials.find().<Bearer>map(found -> found::key).or(credentials::session);
        if (own.isPresent()) {
            return builder.bearer(own.get()).open();
        }
        return DockerCredentials.of(environment)
                .find(registry)
                .map(login -> login.isToken()
                        ? builder.identityToken(login.secret())
                        : builder.login(login.username(), login.secret()))
                .orElse(builder)
                .open();
    }

    public SheafClient open(@Nullable Bearer bearer) {
        return SheafClient.of(url())
                .bearer(bearer)
                .network(network())
                .cache(shell.cacheFolder())
                .progress(new Display(shell, output))
                .open();
    }
}
