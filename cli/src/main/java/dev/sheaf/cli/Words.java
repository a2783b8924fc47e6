package dev.sheaf.cli;

import dev.sheaf.client.Hub;
import dev.sheaf.client.RegistryUrl;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Role;
import dev.sheaf.model.Scope;
import dev.sheaf.model.Selector;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.YankReason;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads what stands on the command line, by the rules of the model and in its words where one is broken.
final class Words {
    private static final Pattern PERIOD = Pattern.compile("(\\d{1,9})([mhdw])");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,5}(?=[KMGT]iB)|\\d{1,18}(?=B?$))(KiB|MiB|GiB|TiB|B|)");

    private Words() {}

    /// For this command and those that are below it by now.
    static void register(CommandLine root) {
        root.registerConverter(Reference.class, parsing(Reference::parse));
        root.registerConverter(Wanted.class, parsing(Wanted::parse));
        root.registerConverter(RepositoryName.class, parsing(RepositoryName::parse));
        root.registerConverter(Namespace.class, parsing(Namespace::parse));
        root.registerConverter(Selector.class, parsing(Selector::parse));
        root.registerConverter(Version.class, parsing(Version::parse));
        root.registerConverter(Tag.class, parsing(Tag::parse));
        root.registerConverter(RegistryUrl.class, parsing(RegistryUrl::parse));
        root.registerConverter(YankReason.class, parsing(YankReason::parse));
        root.registerConverter(Output.Format.class, parsing(text -> word(text, Output.Format.values())));
        root.registerConverter(Hub.Sort.class, parsing(text -> word(text, Hub.Sort.values())));
        root.registerConverter(AssetType.class, parsing(text -> word(text, AssetType.values())));
        root.registerConverter(Duration.class, parsing(Words::period));
        root.registerConverter(Long.class, parsing(Words::size));
        root.registerConverter(Role.class, parsing(text -> word(text, Role.values())));
        root.registerConverter(EmailAddress.class, parsing(EmailAddress::parse));
        root.registerConverter(Scope.class, parsing(text -> word(text, Scope.values())));
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

    /// `90m`, `12h`, `30d`, `2w`, or ISO 8601.
    private static Duration period(String text) {
        var matcher = PERIOD.matcher(text);
        try {
            if (!matcher.matches()) {
                return Duration.parse(text);
            }
            long number = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case "m" -> Duration.ofMinutes(number);
                case "h" -> Duration.ofHours(number);
                case "d" -> Duration.ofDays(number);
                default -> Duration.ofDays(Math.multiplyExact(number, 7));
            };
        } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
            throw Problem.invalid("format", "write a period such as 12h, 30d or P30D");
        }
    }

    /// Bytes, or with a unit: `500MiB`, `2GiB`.
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

    private static <T> T word(String text, T[] words) {
        return Arrays.stream(words)
                .filter(word -> word.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> Problem.invalid(
                        "unknown",
                        "write one of "
                                + Arrays.stream(words).map(Object::toString).collect(Collectors.joining(", "))));
    }
}
