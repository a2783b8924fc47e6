package dev.sheaf.cli.command;

import dev.sheaf.client.agents.ThingName;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Reference;
import java.util.List;
import java.util.stream.Stream;

/// A bundle, or some things in it, as typed: `acme/kit:^1.0#pdf-forms,agents/reviewer`.
///
/// @param things empty means all
public record BundleSelection(Reference reference, List<ThingName> things) {
    public BundleSelection {
        things = List.copyOf(things);
    }

    /// @param named receives the registry if the text begins with its address
    static BundleSelection parse(String text, NamedRegistry named) {
        int sign = text.indexOf('#');
        String reference = sign < 0 ? text : text.substring(0, sign);
        String things = sign < 0 ? "" : text.substring(sign + 1);
        if (sign >= 0 && things.isEmpty()) {
            throw Problem.invalid("format", "write the name of a skill after the #: " + reference + "#pdf-forms");
        }
        return new BundleSelection(
                ValueParsers.reference(named.without(reference)),
                things.isEmpty()
                        ? List.of()
                        : Stream.of(things.split(",", -1)).map(ThingName::parse).toList());
    }
}
