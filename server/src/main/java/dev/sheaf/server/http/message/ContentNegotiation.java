package dev.sheaf.server.http.message;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Chooses the representation that a caller wants (RFC 9110, section 12.5.1).
public final class ContentNegotiation {
    private static final Pattern JSON = Pattern.compile("[/+]json(?!\\s*;\\s*q=0(?:\\.0*)?(?:[,;\\s]|$))");
    private static final Pattern WEIGHT = Pattern.compile("q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)");

    private ContentNegotiation() {}

    /// Returns the media type with the highest weight in Accept. Among equal weights, or without Accept, the
    /// first one wins.
    ///
    /// @param offered media types without parameters
    /// @throws ProblemException not-acceptable if Accept allows none of the offered types
    public static String choose(Call call, List<String> offered) {
        var ranges = ranges(call);
        if (ranges.isEmpty()) {
            return offered.getFirst();
        }
        String best = "";
        double highest = 0;
        for (String type : offered) {
            double weight = weight(type, ranges);
            if (weight > highest) {
                best = type;
                highest = weight;
            }
        }
        if (best.isEmpty()) {
            throw new Problem.NotAcceptable(String.join(", ", call.headers("Accept")), String.join(", ", offered))
                    .raise();
        }
        return best;
    }

    /// Returns whether Accept allows the type, by its name or a wildcard; also true without Accept.
    public static boolean accepts(Call call, String type) {
        var ranges = ranges(call);
        return ranges.isEmpty() || weight(type, ranges) > 0;
    }

    /// Returns whether Accept allows the type by its name, not only by a wildcard.
    public static boolean names(Call call, String type) {
        return ranges(call).stream().anyMatch(range -> range.type().equals(type) && range.weight() > 0);
    }

    private static List<Range> ranges(Call call) {
        return call.listed("Accept").stream()
                .map(Range::parse)
                .filter(range -> !range.type().isEmpty())
                .toList();
    }

    /// Refuses a caller who does not accept JSON. Any JSON type in Accept is enough, because some callers name
    /// vendor types.
    ///
    /// @throws ProblemException not-acceptable
    public static void json(Call call) {
        var lines = call.headers("Accept");
        if (!lines.isEmpty()
                && lines.stream().noneMatch(line -> JSON.matcher(line).find())) {
            choose(call, List.of("application/json"));
        }
    }

    /// Returns the weight of the most specific range that matches the type.
    private static double weight(String type, List<Range> ranges) {
        double weight = 0;
        int closest = 0;
        for (var range : ranges) {
            int fit = range.fit(type);
            if (fit > closest) {
                closest = fit;
                weight = range.weight();
            }
        }
        return weight;
    }

    private record Range(String type, double weight) {
        static Range parse(String text) {
            var parts = text.split(";");
            double weight = 1;
            for (int i = 1; i < parts.length; i++) {
                String parameter = parts[i].strip().toLowerCase(Locale.ROOT);
                if (WEIGHT.matcher(parameter).matches()) {
                    weight = Double.parseDouble(parameter.substring(2));
                }
            }
            return new Range(parts.length == 0 ? "" : parts[0].strip().toLowerCase(Locale.ROOT), weight);
        }

        /// Returns 3 for the type itself, 2 for its `type/*`, 1 for `*/*`, and 0 if it does not match.
        int fit(String offered) {
            if (type.equals(offered)) {
                return 3;
            }
            if (type.endsWith("/*") && offered.startsWith(type.substring(0, type.length() - 1))) {
                return 2;
            }
            return type.equals("*/*") || type.equals("*") ? 1 : 0;
        }
    }
}
