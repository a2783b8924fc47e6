package dev.sheaf.cli.command;

import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.TransferDisplay;
import dev.sheaf.client.ClientBuilder;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/// The registry and the credential: the options that all commands of the client share.
public final class Connection {
    /// Explains in help where the key comes from.
    public static final String KEY = "The key comes from the variable SHEAF_API_KEY, else from sheaf login.";

    private final Shell shell;
    private final Output output;

    private final OptionSpec url = OptionSpec.builder("--url")
            .type(RegistryUrl.class)
            .paramLabel("URL")
            .description("Address of the registry. Default: SHEAF_URL, else what login remembered, else "
                    + "http://127.0.0.1:8080.")
            .build();
    private final OptionSpec authorities = OptionSpec.builder("--ca-file")
            .type(Path.class)
            .paramLabel("PEM")
            .description("Certificates of authorities to trust, besides those of Java and the system. Default: "
                    + "SHEAF_CA_FILE.")
            .build();
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

    List<OptionSpec> options() {
        return List.of(url, authorities);
    }

    private @Nullable RegistryUrl typedUrl() {
        return url.getValue();
    }

    /// Returns how a command with this connection shows its results.
    public Output output() {
        return output;
    }

    public Shell shell() {
        return shell;
    }

    public UserSettings settings() {
        return new UserSettings(shell.directories().config());
    }

    /// Returns the registry from `--url`, else from a reference, else the configured one.
    public RegistryUrl url() {
        if (!named.isNamed()) {
            return usual();
        }
        var meant = named.url(usual());
        var option = typedUrl();
        if (option != null && !meant.equals(Optional.of(option))) {
            throw Problem.invalid("format", "the reference and --url name different registries; leave one out");
        }
        return meant.orElseGet(this::usual);
    }

    /// Returns the registry for a command whose references do not name one.
    private RegistryUrl usual() {
        return set().orElse(RegistryUrl.DEFAULT);
    }

    private Optional<RegistryUrl> set() {
        var option = typedUrl();
        if (option != null) {
            return Optional.of(option);
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
        return typedUrl() == null && !named.isNamed() ? "" : " --url " + url();
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
        return NetworkSettings.of(shell.environment(), authorities.<@Nullable Path>getValue());
    }

    public Credentials credentials() {
        return credentials(url(), environment());
    }

    /// Returns what is stored for a registry. The variable is only for the configured one.
    public Credentials credentialsOf(RegistryUrl registry) {
        return credentials(registry, registry.equals(url()) ? shell.environment() : withoutKey());
    }

    private Credentials credentials(RegistryUrl registry, Map<String, String> environment) {
        return new Credentials(registry, environment, shell.keychain(), shell.directories(), network());
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
        var credentials = credentials(registry, withoutKey());
        var builder = builder(registry);
        var own = credentials.find().<Bearer>map(found -> found::key).or(credentials::session);
        if (own.isPresent()) {
            return builder.bearer(own.get()).open();
        }
        return DockerCredentials.of(withoutKey())
                .find(registry)
                .map(login -> login.isToken()
                        ? builder.identityToken(login.secret())
                        : builder.login(login.username(), login.secret()))
                .orElse(builder)
                .open();
    }

    public SheafClient open(@Nullable Bearer bearer) {
        return builder(url()).bearer(bearer).open();
    }

    private ClientBuilder builder(RegistryUrl registry) {
        return SheafClient.of(registry)
                .network(network())
                .cache(shell.cacheFolder())
                .progress(new TransferDisplay(shell, output));
    }
}
