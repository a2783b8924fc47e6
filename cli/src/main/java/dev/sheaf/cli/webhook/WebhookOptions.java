package dev.sheaf.cli.webhook;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.RepeatedValue;
import java.util.Map;

/// The options of `create` and `edit` that say which events a webhook sends, and with which headers.
record WebhookOptions(
        RepeatedValue<String> types,
        RepeatedValue<String> namespaces,
        RepeatedValue<String> bundles,
        OptionalValue<Map<String, String>> headers,
        OptionalValue<Integer> rate,
        OptionalValue<String> description) {
    static WebhookOptions of(CliCommand command) {
        return new WebhookOptions(
                command.options(
                        "--type",
                        "TYPE",
                        "Only events of this type, such as version.published, or version.* for all of version; may be "
                                + "repeated. '*': all."),
                command.options("--namespace", "NS", "Only events of bundles of this namespace; may be repeated."),
                command.options(
                        "--bundle",
                        "NS/SLUG",
                        "Only events of this bundle; a * at the end matches any rest, as in acme/docs-*. May be "
                                + "repeated."),
                command.pairs(
                        "--header", "A header to send with each request; at most 5. The value cannot be read again."),
                command.option(
                        Integer.class,
                        "--rate",
                        "N",
                        "Maximum number of requests per second, up to 1000; 0: no limit."),
                command.option("--description", "TEXT", "What the webhook is for."));
    }

    boolean isGiven() {
        return types.isGiven()
                || namespaces.isGiven()
                || bundles.isGiven()
                || headers.isGiven()
                || rate.isGiven()
                || description.isGiven();
    }
}
