package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.RepeatedValue;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.cli.terminal.TransferDisplay;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.Progress.Step;
import dev.sheaf.client.api.PushOptions;
import dev.sheaf.client.api.Pushed;
import dev.sheaf.client.bundle.BundleSource;
import dev.sheaf.client.bundle.Finding;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.Tag;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.Visibility;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The command `sheaf push`.
public final class PushCommand extends ResourceCommand<SheafClient> {
    private final OptionalValue<Path> typedFolder =
            optionalArgument(Path.class, "DIR", "The directory. Default: the current one.");
    private final OptionalValue<Reference> reference = optionalArgument(
            Reference.class, "REF", "namespace/bundle:version, such as acme/java-kit:1.0.0; overrides sheaf.yaml.");
    private final FlagOption everybody = flag("--public", "If this push creates the bundle, make it public.");
    private final RepeatedValue<Tag> tags =
            options(Tag.class, "--tag", "TAG", "Move this tag to the version; may be repeated.");
    private final OptionalValue<String> name = option("--name", "NAME", "Display name. Default: the bundle's own.");
    private final OptionalValue<String> description = option("--description", "TEXT", "One sentence about the bundle.");
    private final OptionalValue<String> message = option("--message", "TEXT", "What is new in this version.");
    private final FlagOption oci = flag("--oci", "Upload through the OCI API, whatever the size.");
    private final FlagOption secrets =
            flag("--allow-secrets", "Publish the files even if they seem to contain a secret.");
    private final FlagOption wait = flag("--wait", "If the version needs approval, wait until somebody decides.");
    private final FlagOption dryRun =
            flag("--dry-run", "Show what would be pushed and what the registry would answer. Change nothing.");

    /// The version to publish; null until it is known.
    private volatile @Nullable Reference target;
    private volatile boolean isHeld; // read by the thread of an interruption

    public PushCommand(Connection connection) {
        super(
                connection,
                client -> client,
                "push",
                "Publishes the files of a directory as one version. Without REF, the directory's sheaf.yaml names the "
                        + "version. Prints the pinned reference.");
        footer(
                "",
                "Pushing the same content again succeeds; different content under an existing version is refused. The "
                        + "push leaves out links, .git, node_modules, __pycache__, *.pyc, .DS_Store, .env*, and the "
                        + "files that .sheafignore names, or .gitignore if sheaf.yaml lists no assets. A line such as "
                        + "!.env.test in .sheafignore includes a file again. Text that looks like a secret stops the "
                        + "push.");
        hint(mistake -> isReference() && !String.valueOf(mistake.getMessage()).contains("comes first")
                ? Optional.of("the directory comes first: sheaf push DIR REF")
                : Optional.empty());
        publishes();
        check(this::checkArguments);
        exit(client -> {
            try (var _ = output.whenStopped(this::stateAfter)) {
                return push(client);
            }
        });
    }

    private Path folder() {
        return typedFolder.or(Path.of(""));
    }

    /// Without the directory, the reference is parsed as the directory; this recognizes that mistake.
    private void checkArguments() {
        String first = folder().toString();
        var typed = reference.get();
        if (typed != null) {
            checkVersion(typed);
        }
        refuse(
                typed == null && isReference(),
                first + " is not a directory; the directory comes first: sheaf push . " + ShellWord.of(first));
        SourceFolder.check(this, folder());
    }

    private void checkVersion(Reference reference) {
        String text = reference.selector().toString();
        refuse(
                text.matches("v\\d+\\.\\d+\\.\\d+.*"),
                "write the version without the v: " + reference.repository() + ":" + text.replaceFirst("^v", ""));
        refuse(
                text.matches("\\d+(\\.\\d+)?"),
                text + " is a range or a tag; a push needs a full version, such as " + reference
                        + (text.contains(".") ? ".0" : ".0.0"));
    }

    /// Returns whether the directory is really a reference.
    private boolean isReference() {
        return namesVersion(folder().toString()) && !Files.exists(folder());
    }

    private static boolean namesVersion(String text) {
        try {
            return Reference.parse(text).selector() instanceof VersionSelector.ByVersion;
        } catch (ProblemException e) {
            return false;
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
                isHeld
                        ? version + " is not published: it waits for approval; see how it goes with sheaf review show "
                                + version
                        : version
                                + " is published; its tags and description may be missing: run the same command again to complete them";
        };
    }

    private ExitCode push(SheafClient client) {
        var source = BundleSource.read(folder(), reference.get(), new TransferDisplay(connection.shell(), output));
        target = source.file() == null ? null : source.file().reference();
        Stream.concat(
                        source.findings().stream().filter(finding -> finding.severity() == Finding.Severity.WARNING),
                        source.passportFindings().stream())
                .forEach(finding -> output.note(finding.toString()));
        return dryRun.isGiven()
                ? PushDryRun.show(client.plan(source, options()), source, oci.isGiven(), connection)
                : report(client, client.push(source, options()));
    }

    private ExitCode report(SheafClient client, Pushed pushed) {
        var held = pushed.held();
        if (held == null) {
            return report(pushed);
        }
        isHeld = true;
        return wait.isGiven()
                ? HeldReview.await(client.bundle(pushed.repository()), held, output)
                : HeldReview.show(held, output);
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
                + TextFormat.count(pushed.assets(), "file") + ", " + TextFormat.size(pushed.sizeBytes())
                + readers(pushed));
        return ExitCode.OK;
    }

    private static String readers(Pushed pushed) {
        return switch (pushed.visibility()) {
            case PUBLIC -> "; the bundle is public";
            case PRIVATE -> "; the bundle is private";
            case null -> "";
        };
    }

    /// The command line overrides the file.
    private PushOptions options() {
        return PushOptions.DEFAULT
                .withVisibility(everybody.isGiven() ? Visibility.PUBLIC : null)
                .withTags(tags.get())
                .withName(name.get())
                .withDescription(description.get())
                .withMessage(message.get())
                .throughOci(oci.isGiven())
                .allowSecrets(secrets.isGiven());
    }

    /// The JSON of a push.
    ///
    /// @param visibility null if the credential may not read the bundle
    /// @param outcome `created`, or `identical` if the version existed with the same content; null for a push
    /// through OCI, which does not report it
    record Shown(
            String reference,
            String pinned,
            String version,
            String digest,
            int files,
            long sizeBytes,
            @Nullable String visibility,
            @Nullable String outcome) {
        static Shown of(Pushed pushed) {
            return new Shown(
                    pushed.repository() + ":" + pushed.version(),
                    pushed.pinnedReference(),
                    pushed.version().toString(),
                    pushed.manifestDigest().toString(),
                    pushed.assets(),
                    pushed.sizeBytes(),
                    pushed.visibility() == null ? null : String.valueOf(pushed.visibility()),
                    pushed.route() == Pushed.Route.OCI ? null : pushed.known() ? "identical" : "created");
        }
    }
}
