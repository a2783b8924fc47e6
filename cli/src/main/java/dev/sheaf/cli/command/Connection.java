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

/// The registry and the credential: the options that all commands of the client share.
public final class Connection {
    /// Explains in help where the key comes from.
    public static final String KEY = "The key comes from the variable SHEAF_API_KEY, else from sheaf login.";

    private final Shell shell;
    private final Output output;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Address of the registry. Default: SHEAF_URL, else what login remembered, else "
                    + "http://127.0.0.1:8080.")
    private @Nullable RegistryUrl url;

    @Option(
            names = "--ca-file",
            paramLabel = "PEM",
            description =
                    "Certificates of authorities to trust, besides those of Java and the system. Default: SHEAF_CA_FILE.")
    private @Nullable Path authorities;

    private final NamedRegistry named;

    /// @param named the registry that references on the command line name
    public Connection(Shell shell, NamedRegistry named) {
        this.shell = shell;
        this.named = named;
        this.output = new Output(shell);
    }

    /// Adds [#KEY] to the help of a command with a connection. The key is not an option, because lists of
    /// processes would show it.
    public static void nameTheKey(CommandLine command) {
        if (command.getCommandSpec().mixins().containsKey("connection")) {
            var usage = command.getCommandSpec().usageMessage();
            usage.footer(
                    Stream.concat(Stream.of(usage.footer()), Stream.of("", KEY)).toArray(String[]::new));
        }
    }

    /// Returns how a command with this connection shows its results.
    public Output output() {
        return output;
    }

    public Shell shell() {
        return shell;
    }

    public Settings settings() {
        return new Settings(shell.directories().config());
    }

    /// Returns the registry from `--url`, else from a reference, else the configured one.
    public RegistryUrl url() {
        if (!named.isNamed()) {
            return usual();
        }
        var meant = named.url(usual());
        if (url != null && !meant.equals(Optional.of(url))) {
            throw Problem.invalid("format", "the reference and --url name different registries; leave one out");
        }
        return meant.orElseGet(this::usual);
    }

    /// Returns the registry for a command whose references do not name one.
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

    /// Returns whether the registry is named by an option, a reference, a variable or the settings.
    public boolean isSet() {
        return named.isNamed() || set().isPresent();
    }

    /// @param place the source of the text, for the message
    private static RegistryUrl parsed(String text, String place) {
        try {
            return RegistryUrl.parse(text);
        } catch (ProblemException e) {
            throw Problem.invalid("format", place + ": " + e.getMessage());
        }
    }

    /// Returns ` --url …` if it was typed, so that commands in advice ask the same registry; else an empty
    /// string.
    public String typed() {
        return url == null && !named.isNamed() ? "" : " --url " + url();
    }

    /// Returns a reference with the host of this registry if the command's own reference had one, so that the next
    /// command asks the same registry.
    public String withHost(String reference) {
        return named.isNamed() ? url().authority() + "/" + reference : reference;
    }

    /// Returns whether the environment has a key, which overrides stored ones.
    public boolean hasVariable() {
        return !environment().getOrDefault(Credentials.VARIABLE, "").isBlank();
    }

    /// Returns the environment, without the key if a reference names the registry: the key is for the
    /// configured registry.
    private Map<String, String> environment() {
        return !named.isNamed() || url().equals(usual()) ? shell.environment() : withoutKey();
    }

    private Map<String, String> withoutKey() {
        var environment = new HashMap<>(shell.environment());
        environment.remove(Credentials.VARIABLE);
        return environment;
    }

    /// Returns the proxies and certificates.
    public NetworkSettings network() {
        return NetworkSettings.of(shell.environment(), authorities);
    }

    public Credentials credentials() {
        return new Credentials(url(), environment(), shell.keychain(), shell.directories(), network());
    }

    /// Opens a client with the key, the session or no credential.
    public SheafClient open() {
        return open(credentials().bearer().orElse(null));
    }

    /// Opens a client to publish: without a key or session it uses the identity of the CI workflow.
    SheafClient openToPublish() {
        Bearer found = credentials().bearer().orElse(null);
        return open(found == null ? workflow() : found);
    }

    private @Nullable Bearer workflow() {
        var environment = shell.environment();
        if (!url().equals(usual())) {
            return null; // its id_token, like its key, is for the configured registry
        }
        var identity = WorkflowIdentity.of(url(), network(), environment);
        if (identity.isEmpty() && "true".equals(environment.get("GITHUB_ACTIONS"))) {
            output.say("note: no key is set, and this job has no id_token; these lines give it one:"
                    + " \"permissions:\" and \"  id-token: write\"");
        }
        return identity.orElse(null);
    }

    /// Opens a client of any OCI registry, with the credential stored for it. The key in the variable is only
    /// for the configured Sheaf registry.
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
