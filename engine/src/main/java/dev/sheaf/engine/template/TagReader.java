package dev.sheaf.engine.template;

import dev.sheaf.engine.template.TemplateSplitter.Piece;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses pieces into a block of nodes.
final class TagReader {
    private static final Set<String> REFUSED = Set.of(
            "include",
            "render",
            "layout",
            "extends",
            "block",
            "section",
            "sections",
            "import",
            "tablerow",
            "ifchanged");

    private final List<Piece> pieces;
    private final Set<String> assigned = new HashSet<>();
    private int next;
    private int depth;

    TagReader(List<Piece> pieces) {
        this.pieces = pieces;
    }

    /// Returns the names that the template assigns.
    Set<String> assigned() {
        return assigned;
    }

    PartBlock template() {
        return block(Set.of(), null);
    }

    /// Reads up to one of these tags, which is left for the caller.
    ///
    /// @param opening the tag that they belong to; null to read to the end
    private PartBlock block(Set<String> ends, @Nullable Piece opening) {
        var nodes = new ArrayList<TemplateNode>();
        while (next < pieces.size()) {
            var piece = pieces.get(next);
            if (piece.kind() == TemplateSplitter.Kind.TAG && ends.contains(piece.name())) {
                return PartBlock.of(nodes);
            }
            next++;
            nodes.add(
                    switch (piece.kind()) {
                        case TEXT -> new TemplateNode.Text(piece.body());
                        case OUTPUT -> output(piece);
                        case TAG -> tag(piece, opening);
                    });
        }
        if (opening != null) {
            throw failure(opening, opening.name() + " has no end" + opening.name());
        }
        return PartBlock.of(nodes);
    }

    private static TemplateException failure(Piece piece, String reason) {
        return new TemplateException(piece.line(), reason);
    }

    private static TagWords words(Piece piece) {
        return new TagWords(piece.line(), piece.body());
    }

    private static TemplateNode output(Piece piece) {
        var words = words(piece);
        return words.isAtEnd()
                ? new TemplateNode.Text("")
                : new TemplateNode.Output(piece.line(), new ExpressionReader(words).filtered("in an output"));
    }

    private TemplateNode tag(Piece piece, @Nullable Piece opening) {
        return switch (piece.name()) {
            case "assign" -> assign(piece);
            case "echo" -> output(piece);
            case "increment", "decrement" -> count(piece);
            case "cycle" -> cycle(piece);
            case "break", "continue" -> leave(piece);
            case "if", "unless", "case", "for", "capture" -> enclosing(piece);
            default -> throw unknown(piece, opening);
        };
    }

    private static TemplateException unknown(Piece piece, @Nullable Piece opening) {
        if (REFUSED.contains(piece.name())) {
            return failure(piece, "the tag " + piece.name() + " cannot be used here");
        }
        boolean belongs = piece.name().startsWith("end")
                || Set.of("else", "elsif", "when").contains(piece.name());
        return failure(
                piece,
                !belongs
                        ? "unknown tag \"" + TagWords.shorten(piece.name()) + '"'
                        : "unexpected " + TagWords.shorten(piece.name())
                                + (opening == null
                                        ? " outside of any block"
                                        : ": the " + opening.name() + " of line " + opening.line() + " is still open"));
    }

    private TemplateNode enclosing(Piece piece) {
        if (++depth > Template.MAX_NESTING) {
            throw failure(piece, "blocks are nested deeper than " + Template.MAX_NESTING);
        }
        try {
            return switch (piece.name()) {
                case "case" -> choice(piece);
                case "for" -> loop(piece);
                case "capture" -> capture(piece);
                default -> conditional(piece);
            };
        } finally {
            depth--;
        }
    }

    private TemplateNode assign(Piece piece) {
        var words = words(piece);
        String name = words.name("a name after assign");
        words.sign("=", "after assign " + TagWords.shorten(name));
        assigned.add(name);
        return new TemplateNode.Assign(piece.line(), name, new ExpressionReader(words).filtered("in assign"));
    }

    private TemplateNode count(Piece piece) {
        var words = words(piece);
        String name = words.name("a name after " + piece.name());
        words.end("in " + piece.name());
        assigned.add(name);
        return new TemplateNode.Count(piece.line(), name, piece.name().equals("increment"));
    }

    private static TemplateNode cycle(Piece piece) {
        var words = words(piece);
        var reader = new ExpressionReader(words);
        var values = new ArrayList<Expression>();
        values.add(reader.value());
        Expression name = null;
        if (words.takesSign(":")) {
            name = values.removeLast();
            values.add(reader.value());
        }
        while (words.takesSign(",")) {
            values.add(reader.value());
        }
        words.end("in cycle");
        return new TemplateNode.Cycle(piece.line(), name, piece.body().strip(), List.copyOf(values));
    }

    private static TemplateNode leave(Piece piece) {
        words(piece).end("after " + piece.name());
        return new TemplateNode.Leave(
                piece.line(), piece.name().equals("break") ? Rendering.Jump.BREAK : Rendering.Jump.CONTINUE);
    }

    /// Takes the tag that ended a block if it has this name.
    private boolean takes(String name) {
        boolean is = next < pieces.size() && pieces.get(next).name().equals(name);
        if (is) {
            next++;
        }
        return is;
    }

    private TemplateNode capture(Piece piece) {
        var words = words(piece);
        var word = words.take();
        if (word.kind() != TagWords.Kind.NAME && word.kind() != TagWords.Kind.STRING) {
            throw failure(piece, "expected a name after capture, found " + TagWords.shown(word));
        }
        words.end("in capture");
        assigned.add(word.text());
        var block = block(Set.of("endcapture"), piece);
        takes("endcapture");
        return new TemplateNode.Capture(piece.line(), word.text(), block);
    }

    private TemplateNode conditional(Piece piece) {
        String end = "end" + piece.name();
        var branches = new ArrayList<TemplateNode.Branch>();
        var at = piece;
        PartBlock otherwise = null;
        do {
            var condition = new ExpressionReader(words(at)).condition("in " + at.name());
            if (at.name().equals("unless")) {
                condition = new Condition.Not(condition);
            }
            branches.add(new TemplateNode.Branch(at.line(), condition, block(Set.of("elsif", "else", end), piece)));
            at = pieces.get(next);
        } while (takes("elsif"));
        if (takes("else")) {
            otherwise = block(Set.of(end), piece);
        }
        takes(end);
        return tidy(new TemplateNode.If(List.copyOf(branches), otherwise));
    }

    /// Removes the texts of an `if` whose branches can output only spaces.
    private static TemplateNode tidy(TemplateNode.If node) {
        return !node.isBlank()
                ? node
                : new TemplateNode.If(
                        node.branches().stream()
                                .map(each -> new TemplateNode.Branch(
                                        each.line(),
                                        each.condition(),
                                        each.block().withoutTexts()))
                                .toList(),
                        withoutTexts(node.otherwise()));
    }

    private static @Nullable PartBlock withoutTexts(@Nullable PartBlock block) {
        return block == null ? null : block.withoutTexts();
    }

    private TemplateNode choice(Piece piece) {
        var words = words(piece);
        var subject = new ExpressionReader(words).value();
        words.end("in case");
        var ends = Set.of("when", "else", "endcase");
        block(ends, piece); // the text before the first `when` is not output
        var whens = new ArrayList<TemplateNode.When>();
        while (next < pieces.size() && pieces.get(next).name().equals("when")) {
            var at = pieces.get(next++);
            whens.add(new TemplateNode.When(at.line(), choices(at), block(ends, piece)));
        }
        PartBlock otherwise = takes("else") ? block(Set.of("endcase"), piece) : null;
        takes("endcase");
        var node = new TemplateNode.Case(piece.line(), subject, List.copyOf(whens), otherwise);
        return !node.isBlank()
                ? node
                : new TemplateNode.Case(
                        piece.line(),
                        subject,
                        whens.stream()
                                .map(each -> new TemplateNode.When(
                                        each.line(), each.values(), each.block().withoutTexts()))
                                .toList(),
                        withoutTexts(otherwise));
    }

    private static List<Expression> choices(Piece piece) {
        var words = words(piece);
        var reader = new ExpressionReader(words);
        var values = new ArrayList<Expression>();
        do {
            values.add(reader.value());
        } while (words.takesSign(",") || words.takesName("or"));
        words.end("in when");
        return List.copyOf(values);
    }

    private TemplateNode loop(Piece piece) {
        var loop = LoopReader.read(piece.line(), words(piece));
        var block = block(Set.of("else", "endfor"), piece);
        PartBlock otherwise = takes("else") ? block(Set.of("endfor"), piece) : null;
        takes("endfor");
        var node = new TemplateNode.For(loop, block, otherwise);
        return node.isBlank() ? new TemplateNode.For(loop, block.withoutTexts(), withoutTexts(otherwise)) : node;
    }
}
