package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.terminal.Display;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.Progress.Step;
import dev.sheaf.client.api.PushOptions;
import dev.sheaf.client.api.Pushed;
import dev.sheaf.client.bundle.BundleSource;
import dev.sheaf.client.bundle.Finding;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.Selector;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Visibility;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "push",
        description = "Publishes the files of a directory as one version. Without REF, the directory's sheaf.yaml "
                + "names the version. Prints the pinned reference.",
        footer = {
            "",
            "Pushing the same content again succeeds; different content under an existing version is refused. The "
                    + "push leaves out links, .git, node_modules, __pycache__, *.pyc, .DS_Store, .env*, and the files "
                    + "that .sheafignore names, or .gitignore if sheaf.yaml lists no assets. A line such as !.env.test "
                    + "in .sheafignore includes a file again. Text that looks like a secret stops the push."
        })
public final class PushCommand extends RegistryCommand {
    @Parameters(
            paramLabel = "DIR",
            index = "0",
            arity = "0..1",
            description = "The directory. Default: the current one.")
    private Path folder = Path.of("");

    @Parameters(
            paramLabel = "REF",
            index = "1",
            arity = "0..1",
            description = "namespace/bundle:version, such as acme/java-kit:1.0.0; overrides sheaf.yaml.")
    private @Nullable Reference reference;

    @Option(names = "--public", description = "If this push creates the bundle, make it public.")
    private boolean everybody;

    @Option(names = "--tag", paramLabel = "TAG", description = "Move this tag to the version; may be repeated.")
    private List<Tag> tags = new ArrayList<>();

    @Option(names = "--name", paramLabel = "NAME", description = "Display name. Default: the bundle's own.")
    private @Nullable String name;

    @Option(names = "--description", paramLabel = "TEXT", description = "One sentence about the bundle.")
    private @Nullable String description;

    @Option(names = "--oci", description = "Upload through the OCI API, whatever the size.")
    private boolean oci;

    @Option(names = "--allow-secrets", description = "Publish the files even if they seem to contain a secret.")
    private boolean secrets;

    @Option(
            names = "--dry-run",
            description = "Show what would be pushed and what the registry would answer. Change nothing.")
    private boolean dryRun;

    /// The version to publish; null until it is known.
    private volatile @Nullable Reference target;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    public PushCommand(Connection connection) {
        super(connection);
    }

    /// Without the directory, the reference is parsed as the directory; this recognizes that mistake.
    @Override
    protected boolean ready() {
        String first = folder.toString();
        if (reference != null) {
            checkVersion(reference);
        }
        if (reference == null && isReference()) {
            throw new ParameterException(
                    spec.commandLine(),
                    first + " is not a directory; the directory comes first: sheaf push . " + ShellWord.of(first));
        }
        SourceFolder.check(spec, folder);
        return true;
    }

    private void checkVersion(Reference reference) {
        String text = reference.selector().toString();
        if (text.matches("v\\d+\\.\\d+\\.\\d+.*")) {
            throw new ParameterException(
                    spec.commandLine(),
                    "write the version without the v: " + reference.repository() + ":" + text.substring(1));
        }
        if (text.matches("\\d+(\\.\\d+)?")) {
            throw new ParameterException(
                    spec.commandLine(),
                    text + " is a range or a tag; a push needs a full version, such as " + reference
                            + (text.contains(".") ? ".0" : ".0.0"));
        }
    }

    /// Returns whether the directory is really a reference.
    public boolean isReference() {
        return namesVersion(folder.toString()) && !Files.exists(folder);
    }

    private static boolean namesVersion(String text) {
        try {
            return Reference.parse(text).selector() instanceof Selector.ByVersion;
        } catch (ProblemException e) {
            return false;
        }
    }

    @Override
    protected boolean publishes() {
        return true;
    }

    @Override
    protected ExitCode run(SheafClient client) {
        try (var _ = output.whenStopped(this::stateAfter)) {
            return push(client);
        }
    }

    private String stateAfter(Step step) {
        String version = target == null ? "the version" : target.toString();
        return switch (step) {
            case PREPARING -> "nothing was published; run the same command again to continue";
            case CHANGING ->
                "the registry was publishing " + version
                        + "; it may or may not exist now; run the same command again to be sure";
            case CHANGED ->
                version
                        + " is published; its tags and description may be missing: run the same command again to complete them";
        };
    }

    private ExitCode push(SheafClient client) {
        var source = BundleSource.read(folder, reference, new Display(connection.shell(), output));
        target = source.file() == null ? null : source.file().reference();
        source.findings().stream()
                .filter(finding -> finding.severity() == Finding.Severity.WARNING)
                .forEach(finding -> output.note(finding.toString()));
        return dryRun
                ? PushDryRun.show(client.plan(source, options()), source, oci, connection)
                : report(client.push(source, options()));
    }

    private ExitCode report(Pushed pushed) {
        output.show(
                Shown.of(pushed),
                shell -> shell.out().println(pushed.pinnedReference()),
                () -> List.of(connection.withHost(pushed.pinnedReference())));
        String version = pushed.repository() + ":" + pushed.version();
        output.say((pushed.known()
                        ? version + " was already at " + connection.url() + ", unchanged, "
                        : "pushed " + version + " to " + connection.url() + ", ")
                + Text.count(pushed.assets(), "file") + ", " + Text.size(pushed.sizeBytes()));
        return ExitCode.OK;
    }

    /// The command line overrides the file.
    private PushOptions options() {
        return new PushOptions(everybody ? Visibility.PUBLIC : null, tags, name, description, oci, secrets);
    }

    /// The JSON of a push.
    ///
    /// @param outcome `created`, or `identical` if the version existed with the same content; null for a push
    /// through OCI, which does not report it
    record Shown(
            String reference,
            String pinned,
            String version,
            String digest,
            int files,
            long sizeBytes,
            @Nullable String outcome) {
        static Shown of(Pushed pushed) {
            return new Shown(
                    pushed.repository() + ":" + pushed.version(),
                    pushed.pinnedReference(),
                    pushed.version().toString(),
                    pushed.manifestDigest().toString(),
                    pushed.assets(),
                    pushed.sizeBytes(),
                    pushed.route() == Pushed.Route.OCI ? null : pushed.known() ? "identical" : "created");
        }
    }
}
