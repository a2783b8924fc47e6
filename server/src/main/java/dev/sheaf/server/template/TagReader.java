package dev.sheaf.server.template;

import dev.sheaf.server.template.Pieces.Piece;
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

    Block template() {
        return block(Set.of(), null);
    }

    /// Reads up to one of these tags, which is left for the caller.
    ///
    /// @param opening the tag that they belong to; null to read to the end
    private Block block(Set<String> ends, @Nullable Piece opening) {
        var nodes = new ArrayList<Node>();
        while (next < pieces.size()) {
            var piece = pieces.get(next);
            if (piece.kind() == Pieces.Kind.TAG && ends.contains(piece.name())) {
                return Block.of(nodes);
            }
            next++;
            nodes.add(
                    switch (piece.kind()) {
                        case TEXT -> new Node.Text(piece.body());
                        case OUTPUT -> output(piece);
                        case TAG -> tag(piece, opening);
                    });
        }
        if (opening != null) {
            throw failure(opening, opening.name() + " has no end" + opening.name());
        }
        return Block.of(nodes);
    }

    private static TemplateException failure(Piece piece, String reason) {
        return new TemplateException(piece.line(), reason);
    }

    private static Words words(Piece piece) {
        return new Words(piece.line(), piece.body());
    }

    private static Node output(Piece piece) {
        var words = words(piece);
        return words.isAtEnd()
                ? new Node.Text("")
                : new Node.Output(piece.line(), new ExpressionReader(words).filtered("in an output"));
    }

    private Node tag(Piece piece, @Nullable Piece opening) {
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
                        ? "unknown tag \"" + Words.shorten(piece.name()) + '"'
                        : "unexpected " + Words.shorten(piece.name())
                                + (opening == null
                                        ? " outside of any block"
                                        : ": the " + opening.name() + " of line " + opening.line() + " is still open"));
    }

    private Node enclosing(Piece piece) {
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

    private Node assign(Piece piece) {
        var words = words(piece);
        String name = words.name("a name after assign");
        words.sign("=", "after assign " + Words.shorten(name));
        assigned.add(name);
        return new Node.Assign(piece.line(), name, new ExpressionReader(words).filtered("in assign"));
    }

    private Node count(Piece piece) {
        var words = words(piece);
        String name = words.name("a name after " + piece.name());
        words.end("in " + piece.name());
        assigned.add(name);
        return new Node.Count(piece.line(), name, piece.name().equals("increment"));
    }

    private static Node cycle(Piece piece) {
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
        return new Node.Cycle(piece.line(), name, piece.body().strip(), List.copyOf(values));
    }

    private static Node leave(Piece piece) {
        words(piece).end("after " + piece.name());
        return new Node.Leave(
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

    private Node capture(Piece piece) {
        var words = words(piece);
        var word = words.take();
        if (word.kind() != Words.Kind.NAME && word.kind() != Words.Kind.STRING) {
            throw failure(piece, "expected a name after capture, found " + Words.shown(word));
        }
        words.end("in capture");
        assigned.add(word.text());
        var block = block(Set.of("endcapture"), piece);
        takes("endcapture");
        return new Node.Capture(piece.line(), word.text(), block);
    }

    private Node conditional(Piece piece) {
        String end = "end" + piece.name();
        var branches = new ArrayList<Node.Branch>();
        var at = piece;
        Block otherwise = null;
        do {
            var condition = new ExpressionReader(words(at)).condition("in " + at.name());
            if (at.name().equals("unless")) {
                condition = new Condition.Not(condition);
            }
            branches.add(new Node.Branch(at.line(), condition, block(Set.of("elsif", "else", end), piece)));
            at = pieces.get(next);
        } while (takes("elsif"));
        if (takes("else")) {
            otherwise = block(Set.of(end), piece);
        }
        takes(end);
        return tidy(new Node.If(List.copyOf(branches), otherwise));
    }

    /// Removes the texts of an `if` whose branches can output only spaces.
    private static Node tidy(Node.If node) {
        return !node.isBlank()
                ? node
                : new Node.If(
                        node.branches().stream()
                                .map(each -> new Node.Branch(
                                        each.line(),
                                        each.condition(),
                                        each.block().withoutTexts()))
                                .toList(),
                        withoutTexts(node.otherwise()));
    }

    private static @Nullable Block withoutTexts(@Nullable Block block) {
        return block == null ? null : block.withoutTexts();
    }

    private Node choice(Piece piece) {
        var words = words(piece);
        var subject = new ExpressionReader(words).value();
        words.end("in case");
        var ends = Set.of("when", "else", "endcase");
        block(ends, piece); // the text before the first `when` is not output
        var whens = new ArrayList<Node.When>();
        while (next < pieces.size() && pieces.get(next).name().equals("when")) {
            var at = pieces.get(next++);
            whens.add(new Node.When(at.line(), choices(at), block(ends, piece)));
        }
        Block otherwise = takes("else") ? block(Set.of("endcase"), piece) : null;
        takes("endcase");
        var node = new Node.Case(piece.line(), subject, List.copyOf(whens), otherwise);
        return !node.isBlank()
                ? node
                : new Node.Case(
                        piece.line(),
                        subject,
                        whens.stream()
                                .map(each -> new Node.When(
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

    private Node loop(Piece piece) {
        var loop = LoopReader.read(piece.line(), words(piece));
        var block = block(Set.of("else", "endfor"), piece);
        Block otherwise = takes("else") ? block(Set.of("endfor"), piece) : null;
        takes("endfor");
        var node = new Node.For(loop, block, otherwise);
        return node.isBlank() ? new Node.For(loop, block.withoutTexts(), withoutTexts(otherwise)) : node;
    }
}
