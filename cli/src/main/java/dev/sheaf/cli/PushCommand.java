package dev.sheaf.cli;

import dev.sheaf.client.BundleSource;
import dev.sheaf.client.Finding;
import dev.sheaf.client.PushOptions;
import dev.sheaf.client.Pushed;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.Reference;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Visibility;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "push",
        description = "Publishes the files of a directory as one version. Prints the pinned reference. Without REF, "
                + "goes by the sheaf.yaml in it.",
        footer = {
            "",
            "The same content pushed again is a success; other content under an existing version is refused. Links and "
                    + ".git are left out. A file over 4 MiB, or more than about 48 MiB together, goes through the OCI "
                    + "registry, which creates private bundles only."
        })
final class PushCommand implements Callable<Integer> {
    @Mixin
    private final Connection connection;

    @Mixin
    private final Output output;

    @Parameters(paramLabel = "DIR", index = "0", arity = "0..1", description = "The directory; this one if missing.")
    private Path folder = Path.of("");

    @Parameters(
            paramLabel = "REF",
            index = "1",
            arity = "0..1",
            description = "namespace/bundle:version, such as acme/java-kit:1.0.0; as sheaf.yaml says if missing.")
    private @Nullable Reference reference;

    @Option(names = "--public", description = "Everybody may read the bundle, if this push creates it.")
    private boolean everybody;

    @Option(names = "--tag", paramLabel = "TAG", description = "Move this tag to the version; may be repeated.")
    private List<Tag> tags = new ArrayList<>();

    @Option(names = "--name", paramLabel = "NAME", description = "Name for people; the bundle's own if missing.")
    private @Nullable String name;

    @Option(names = "--description", paramLabel = "TEXT", description = "One sentence about the bundle.")
    private @Nullable String description;

    @Option(names = "--oci", description = "Go through the OCI registry, whatever the size.")
    private boolean oci;

    PushCommand(Connection connection) {
        this.connection = connection;
        this.output = connection.output();
    }

    @Override
    public Integer call() {
        try (var client = connection.open()) {
            Pushed pushed = push(client);
            output.show(
                    Shown.of(pushed),
                    shell -> shell.out().println(pushed.pinnedReference()),
                    () -> List.of(pushed.pinnedReference()));
            output.say("pushed " + pushed.repository() + ":" + pushed.version() + " to " + connection.url() + ", "
                    + Text.count(pushed.assets(), "file") + ", " + Text.size(pushed.sizeBytes()));
        }
        return ExitCode.OK.status();
    }

    private Pushed push(SheafClient client) {
        if (reference != null) {
            return client.push(folder, reference, with(PushOptions.DEFAULT));
        }
        var source = BundleSource.read(folder, new Display(connection.shell()));
        source.findings().stream()
                .filter(finding -> finding.severity() == Finding.Severity.WARNING)
                .forEach(finding -> output.say("note: " + Text.showable(finding.toString())));
        var file = source.file();
        return client.push(source, with(file == null ? PushOptions.DEFAULT : file.options()));
    }

    /// What the command line says goes before what the file says.
    private PushOptions with(PushOptions options) {
        return options.withVisibility(everybody ? Visibility.PUBLIC : options.visibility())
                .withTags(tags)
                .withName(name == null ? options.name() : name)
                .withDescription(description == null ? options.description() : description)
                .throughOci(oci);
    }

    /// The JSON of a push.
    record Shown(String reference, String pinned, String version, String digest, int files, long sizeBytes) {
        static Shown of(Pushed pushed) {
            return new Shown(
                    pushed.repository() + ":" + pushed.version(),
                    pushed.pinnedReference(),
                    pushed.version().toString(),
                    pushed.manifestDigest().toString(),
                    pushed.assets(),
                    pushed.sizeBytes());
        }
    }
}
