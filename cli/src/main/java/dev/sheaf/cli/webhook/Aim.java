package dev.sheaf.cli.webhook;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of `create` and `edit` that say which events a webhook sends, and with which headers.
final class Aim {
    @Option(
            names = "--type",
            paramLabel = "TYPE",
            description = "Only events of this type, such as version.published, or version.* for all of version; may "
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
            description = "Only events of this bundle; a * at the end matches any rest, as in acme/docs-*. May be "
                    + "repeated.")
    @Nullable
    List<String> bundles;

    @Option(
            names = "--header",
            paramLabel = "NAME=VALUE",
            description = "A header to send with each request; at most 5. The value cannot be read " + "again.")
    @Nullable
    Map<String, String> headers;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Maximum number of requests per second, up to 1000; 0: no limit.")
    @Nullable
    Integer rate;

    @Option(names = "--description", paramLabel = "TEXT", description = "What the webhook is for.")
    @Nullable
    String description;
}
