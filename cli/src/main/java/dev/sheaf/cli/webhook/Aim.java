package dev.sheaf.cli.webhook;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options that say which events a webhook is sent, and with what, where it is made and where it is
/// changed.
final class Aim {
    @Option(
            names = "--type",
            paramLabel = "TYPE",
            description =
                    "Only events of this type, such as version.published, or version.* for all that begin so; may "
                            + "be repeated. '*': all.")
    @Nullable
    List<String> types;

    @Option(
            names = "--namespace",
            paramLabel = "NS",
            description = "Only events of bundles of this namespace; may be repeated.")
    @Nullable
    List<String> namespaces;

    @Option(
            names = "--bundle",
            paramLabel = "NS/SLUG",
            description = "Only events of this bundle, or of all that begin like it with a * at the end; may be "
                    + "repeated.")
    @Nullable
    List<String> bundles;

    @Option(
            names = "--header",
            paramLabel = "NAME=VALUE",
            description = "A header that the receiver wants with each request; at most 5. Nobody can read the value "
                    + "again.")
    @Nullable
    Map<String, String> headers;

    @Option(names = "--rate", paramLabel = "N", description = "Most requests a second, up to 1000; 0: any number.")
    @Nullable
    Integer rate;

    @Option(names = "--description", paramLabel = "TEXT", description = "What the webhook is for.")
    @Nullable
    String description;
}
