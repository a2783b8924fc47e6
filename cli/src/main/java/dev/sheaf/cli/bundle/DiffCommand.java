package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.Reference;
import dev.sheaf.model.VersionSelector;

/// The command `sheaf diff`.
public final class DiffCommand extends ResourceCommand<SheafClient> {

    private final RequiredValue<Reference> from =
            argument(Reference.class, "REF", "The older one: namespace/bundle:version_or_tag.");
    private final RequiredValue<String> to =
            argument("VERSION", "The newer one: a version, a tag or a range, or a reference to the same bundle.");
    private final FlagOption stat = flag("--stat", "Show only which files changed.");

    private final FlagOption ignoreWhiteSpace =
            flag("-w --ignore-white-space", "Take lines for the same that differ only in white space.");

    public DiffCommand(Connection connection) {
        super(connection, client -> client, "diff", "Shows the changes between two versions, as unified diffs.");
        footer("", "Example: sheaf diff acme/kit:1.0.0 1.1.0");
        check(this::selector);
        run(this::show);
    }

    /// Parses the newer version: a reference contains a slash; versions, tags and ranges do not.
    private VersionSelector selector() {
        if (to.get().indexOf('/') < 0) {
            return VersionSelector.parse(to.get());
        }
        var older = from.get().repository();
        var other = Reference.parse(to.get());
        refuse(
                !other.repository().equals(older),
                "only versions of one bundle can be compared: " + older + " and " + other.repository()
                        + " are different bundles");
        return other.selector();
    }

    private void show(SheafClient client) {
        var diff = client.bundle(from.get().repository())
                .diff(from.get().selector().toString(), selector().toString(), ignoreWhiteSpace.isGiven());
        new ShownDiff(diff, stat.isGiven(), ignoreWhiteSpace.isGiven()).show(output);
    }
}
