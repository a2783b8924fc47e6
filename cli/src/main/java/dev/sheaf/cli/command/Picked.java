package dev.sheaf.cli.command;

import dev.sheaf.client.agents.ThingName;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Reference;
import java.util.List;
import java.util.stream.Stream;

/// A bundle, or some things in it, as typed: `acme/kit:^1.0#pdf-forms,agents/reviewer`.
///
/// @param things empty means all
public record Picked(Reference reference, List<ThingName> things) {
    public Picked {
        things = List.copyOf(things);
    }

    /// @param named receives the registry if the text begins with its address
    static Picked parse(String text, NamedRegistry named) {
        int sign = text.indexOf('#');
        String reference = sign < 0 ? text : text.substring(0, sign);
        String things = sign < 0 ? "" : text.substring(sign + 1);
        if (sign >= 0 && things.isEmpty()) {
            throw Problem.invalid("format", "write the name of a skill after the #: " + reference + "#pdf-forms");
        }
        return new Picked(
                Words.reference(named.without(reference)),
                things.isEmpty()
                        ? List.of()
                        : Stream.of(things.split(",", -1)).map(ThingName::parse).toList());
    }
}
