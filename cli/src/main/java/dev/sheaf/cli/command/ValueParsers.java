package dev.sheaf.cli.command;

import dev.sheaf.cli.terminal.Output;
import dev.sheaf.client.Hub;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RecallSeverity;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Role;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionRange;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.YankReason;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.text.Quoted;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Parses the values on a command line with the rules and messages of the model.
public final class ValueParsers {
    private static final Pattern BY_DIGEST = Pattern.compile("([^@:]+)@v?([\\d~^<>=][^:@]*)");
    private static final Pattern PERIOD = Pattern.compile("(\\d{1,9})([smhdw])");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,5}(?=[KMGT]iB)|\\d{1,18}(?=B?$))(KiB|MiB|GiB|TiB|B|)");

    private static final Duration LONGEST = Duration.ofDays(36_500);

    private ValueParsers() {}

    /// Registers the parsers with this command and its present subcommands.
    ///
    /// @param named receives the registry that references name
    public static void register(CommandLine root, NamedRegistry named) {
        root.registerConverter(Reference.class, parsing(text -> reference(named.without(text))));
        root.registerConverter(PullTarget.class, parsing(text -> PullTarget.parse(text, named)));
        root.registerConverter(BundleSelection.class, parsing(text -> BundleSelection.parse(text, named)));
        root.registerConverter(RepositoryName.class, parsing(text -> bundle(named.without(text))));
        root.registerConverter(Namespace.class, parsing(Namespace::parse));
        root.registerConverter(Version.class, parsing(Version::parse));
        root.registerConverter(Visibility.class, parsing(Visibility::parse));
        root.registerConverter(Tag.class, parsing(Tag::parse));
        root.registerConverter(RegistryUrl.class, parsing(RegistryUrl::parse));
        root.registerConverter(YankReason.class, parsing(YankReason::parse));
        root.registerConverter(RecallSeverity.class, parsing(RecallSeverity::parse));
        root.registerConverter(Output.Format.class, parsing(text -> word(text, Output.Format.values())));
        root.registerConverter(Hub.Sort.class, parsing(text -> word(text, Hub.Sort.values())));
        root.registerConverter(AssetType.class, parsing(ValueParsers::kind));
        root.registerConverter(Duration.class, parsing(ValueParsers::period));
        root.registerConverter(IdOrEnd.class, parsing(IdOrEnd::parse));
        root.registerConverter(Long.class, parsing(ValueParsers::size));
        root.registerConverter(Role.class, parsing(text -> word(text, Role.values())));
        root.registerConverter(EmailAddress.class, parsing(EmailAddress::parse));
        root.registerConverter(Scope.class, parsing(text -> word(text, Scope.values())));
    }

    /// Registers a parser for a fixed set of words.
    public static <T> void register(CommandLine root, Class<T> type, T[] words) {
        root.registerConverter(type, parsing(text -> word(text, words)));
    }

    /// Parses a reference whose version part must be valid.
    static Reference reference(String text) {
        var misplaced = BY_DIGEST.matcher(text);
        if (misplaced.matches()) {
            throw Problem.invalid(
                    "format",
                    "write a version or a range after a colon: "
                            + ShellWord.of(misplaced.group(1) + ":" + misplaced.group(2))
                            + " (an @ is for a digest)");
        }
        var reference = Reference.parse(text);
        if (reference.selector() instanceof VersionSelector.ByRange range
                && range.tag().isEmpty()
                && VersionRange.find(range.range()).isEmpty()) {
            throw Problem.invalid(
                    "format",
                    Quoted.of(range.range()) + " is not a valid range; write one such as ^1.2, ~1.2.3 or >=1.2 <2");
        }
        return reference;
    }

    private static RepositoryName bundle(String text) {
        int suffix = text.indexOf(':');
        if (suffix > 0 && text.indexOf('/') < suffix) {
            throw Problem.invalid("format", "this command is for a whole bundle; leave out " + text.substring(suffix));
        }
        return RepositoryName.parse(text);
    }

    private static <T> ITypeConverter<T> parsing(Function<String, T> parse) {
        return text -> {
            try {
                return parse.apply(text);
            } catch (ProblemException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        };
    }

    /// Parses `45s`, `90m`, `12h`, `30d`, `2w`, or ISO 8601; up to a hundred years, like the registry.
    private static Duration period(String text) {
        try {
            var period = Duration.parse(String.valueOf(iso(text)));
            if (period.compareTo(LONGEST) > 0) {
                throw Problem.invalid("range", "write a period of at most 36500 days");
            }
            if (!period.isNegative()) {
                return period;
            }
        } catch (DateTimeException e) {
            // reported below
        }
        throw Problem.invalid("format", "write a period such as 12h, 30d or P30D");
    }

    /// Returns a period in ISO 8601, the only form that a registry reads: `P90D` for `90d`. Other text is
    /// returned as it is, so that the registry refuses it.
    public static @Nullable String iso(@Nullable String text) {
        var matcher = PERIOD.matcher(text == null ? "" : text);
        if (!matcher.matches()) {
            return text;
        }
        String number = matcher.group(1);
        return switch (matcher.group(2)) {
            case "s" -> "PT" + number + "S";
            case "m" -> "PT" + number + "M";
            case "h" -> "PT" + number + "H";
            case "d" -> "P" + number + "D";
            default -> "P" + Math.multiplyExact(Long.parseLong(number), 7) + "D";
        };
    }

    /// Returns a position among events in the registry's form: an age such as `1h` or `P2D` becomes the time
    /// that long ago. Other text is returned as it is.
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed for an age of more than a hundred years
    public static String place(String text) {
        return PERIOD.matcher(text).matches() || text.startsWith("P")
                ? Instant.now()
                        .minus(period(text))
                        .truncatedTo(ChronoUnit.SECONDS)
                        .toString()
                : text;
    }

    /// Like [#place]; null for null.
    public static @Nullable String placeOrNull(@Nullable String text) {
        return text == null ? null : place(text);
    }

    /// Returns the value of an option as a period in ISO 8601. A number without a unit is a likely mistake and
    /// is refused.
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed for a number without a unit
    public static @Nullable String isoPeriod(String option, @Nullable String text) {
        if (text != null && text.matches("\\d+")) {
            throw Problem.invalid(
                    "format",
                    option + ": " + text + " has no unit; write " + text + "d for days, " + text + "h for hours");
        }
        return iso(text);
    }

    /// Parses a number of bytes, or a size with a unit: `500MiB`, `2GiB`.
    private static Long size(String text) {
        var matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            throw Problem.invalid("format", "write a size such as 500MiB, 2GiB or a number of bytes");
        }
        int thousands = Math.max(
                0,
                " KMGT"
                        .indexOf(
                                matcher.group(2).isEmpty()
                                        ? ' '
                                        : matcher.group(2).charAt(0)));
        return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << (10 * thousands));
    }

    private static AssetType kind(String text) {
        return AssetType.isKnown(text) ? AssetType.ofInput(text) : word(text, AssetType.values());
    }

    private static <T> T word(String text, T[] words) {
        return Arrays.stream(words)
                .filter(word -> word.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> Problem.invalid(
                        "unknown",
                        Quoted.of(text) + " is not one of "
                                + Arrays.stream(words).map(Object::toString).collect(Collectors.joining(", "))));
    }
}
