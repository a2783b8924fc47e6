import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/// Lists the text of every error that the registry reports, with status, code and place, so that one person can
/// read them all in one go. Run by `make errors`; writes target/errors.md.
///
/// It finds the constructors and methods that make errors, and every method that passes a parameter of its own on
/// to one of them. It sees syntax only: methods are matched by name and number of arguments.
final class ErrorTexts {
    private static final List<String> SOURCES = List.of("model/src/main/java", "engine/src/main/java", "server/src/main/java");
    private static final Path LOOKS =
            Path.of("server/src/main/java/dev/sheaf/server/http/message/ProblemLooks.java");
    private static final Pattern LOOK = Pattern.compile("Problem\\.(\\w+) p ->\\s+look\\(\\s*(\\d{3}),\\s*\"([a-z-]+)\"");
    private static final Set<String> EXCEPTIONS = Set.of(
            "StartException",
            "InvalidException",
            "TemplateException",
            "RpcError",
            "BucketException",
            "UnfitSchemaException",
            "NewerSchemaException",
            "UnfitArchive",
            "GoneException",
            "BundleGoneException",
            "TooMuchException",
            "OverBudgetException",
            "DraftLostException",
            "CloseConnectionException",
            "Wrong",
            "Refused",
            "Stopped");

    private final Map<String, String> looks = new HashMap<>();
    private final Set<String> problems = new HashSet<>();
    /// Methods that make errors of their arguments: `name/arity`, or `file#name/arity` if only that file calls it.
    private final Set<String> makers = new HashSet<>(Set.of("invalid/2", "error/3"));
    private final Map<String, String> found = new TreeMap<>();

    public static void main(String[] arguments) throws IOException {
        new ErrorTexts().run(Path.of(arguments[0]));
    }

    private void run(Path out) throws IOException {
        LOOK.matcher(Files.readString(LOOKS))
                .results()
                .forEach(m -> looks.put(m.group(1), m.group(2) + " " + m.group(3)));
        var files = new ArrayList<Path>();
        for (String root : SOURCES) {
            try (var all = Files.walk(Path.of(root))) {
                all.filter(file -> file.toString().endsWith(".java")).sorted().forEach(files::add);
            }
        }
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            var task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            var units = new ArrayList<CompilationUnitTree>();
            task.parse().forEach(units::add);
            var trees = Trees.instance(task);
            units.forEach(unit -> new Problems(unit).scan(unit, null));
            int before;
            do {
                before = makers.size();
                units.forEach(unit -> new Reader(unit, trees, false).scan(unit, null));
            } while (makers.size() > before);
            units.forEach(unit -> new Reader(unit, trees, true).scan(unit, null));
        }
        var page = new StringBuilder("| Where | Error | Text |\n|---|---|---|\n");
        found.forEach((place, row) -> page.append("| ").append(place.replaceFirst(":0+", ":")).append(" | ").append(row).append(" |\n"));
        Files.createDirectories(out.toAbsolutePath().getParent());
        Files.writeString(out, page);
        System.out.println(found.size() + " error texts in " + out);
    }

    /// Finds the records inside `Problem`.
    private final class Problems extends TreePathScanner<Void, Void> {
        private final boolean here;

        Problems(CompilationUnitTree unit) {
            here = unit.getSourceFile().getName().endsWith("/Problem.java");
        }

        @Override
        public Void visitClass(ClassTree tree, Void none) {
            if (here && tree.getKind() == Tree.Kind.RECORD) {
                problems.add(tree.getSimpleName().toString());
            }
            return super.visitClass(tree, none);
        }
    }

    private final class Reader extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final Trees trees;
        private final boolean print;

        Reader(CompilationUnitTree unit, Trees trees, boolean print) {
            this.unit = unit;
            this.trees = trees;
            this.print = print;
        }

        @Override
        public Void visitNewClass(NewClassTree tree, Void none) {
            String type = name(tree.getIdentifier());
            if (type.equals("ValidationFailed")) {
                return super.visitNewClass(tree, none); // lists the texts of its parts
            }
            if (problems.contains(type)) {
                made(tree, looks.getOrDefault(type, type), tree.getArguments());
            } else if (EXCEPTIONS.contains(type)) {
                made(tree, type, tree.getArguments());
            }
            return super.visitNewClass(tree, none);
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree tree, Void none) {
            String name = name(tree.getMethodSelect());
            String key = name + "/" + tree.getArguments().size();
            boolean outside = tree.getMethodSelect() instanceof MemberSelectTree;
            boolean log = tree.getMethodSelect().toString().startsWith("LOG.");
            if (!log && (makers.contains(key) || !outside && makers.contains(file() + "#" + key))) {
                made(tree, name, tree.getArguments());
            }
            return super.visitMethodInvocation(tree, none);
        }

        @Override
        public Void visitMethod(MethodTree tree, Void none) {
            if (print && tree.getName().contentEquals("detail") && file().endsWith("/Problem.java")) {
                String type = ((ClassTree) getCurrentPath().getParentPath().getLeaf()).getSimpleName().toString();
                new TreePathScanner<Void, Void>() {
                    @Override
                    public Void visitReturn(ReturnTree inner, Void none) {
                        add(inner, looks.getOrDefault(type, type), List.of(inner.getExpression()));
                        return null;
                    }
                }.scan(getCurrentPath(), null);
            }
            return super.visitMethod(tree, none);
        }

        /// Prints the texts of an error, or notes that the method around it passes them on.
        private void made(Tree tree, String error, List<? extends ExpressionTree> arguments) {
            var texts = arguments.stream().filter(this::isText).toList();
            if (print) {
                boolean code = texts.stream().anyMatch(text -> text.getKind() == Tree.Kind.LAMBDA_EXPRESSION);
                if (!texts.isEmpty() && !code) {
                    add(tree, error, arguments);
                }
                return;
            }
            var path = getCurrentPath();
            while (path != null && !(path.getLeaf() instanceof MethodTree)) {
                path = path.getParentPath();
            }
            if (path == null) {
                return;
            }
            var method = (MethodTree) path.getLeaf();
            var used = new HashSet<String>();
            arguments.forEach(argument -> names(argument, used));
            boolean passes = method.getParameters().stream()
                    .filter(p -> p.getType().toString().endsWith("String"))
                    .filter(p -> List.of("detail", "why", "what", "advice", "message", "text", "reason", "rule", "cause")
                            .contains(p.getName().toString()))
                    .anyMatch(p -> used.contains(p.getName().toString()));
            if (passes && method.getReturnType() != null) {
                String key = method.getName() + "/" + method.getParameters().size();
                makers.add(file() + "#" + key);
            }
        }

        private void names(Tree tree, Set<String> used) {
            new TreePathScanner<Void, Void>() {
                @Override
                public Void visitIdentifier(IdentifierTree inner, Void none) {
                    used.add(inner.getName().toString());
                    return null;
                }
            }.scan(new TreePath(getCurrentPath(), tree), null);
        }

        private boolean isText(Tree tree) {
            var has = new boolean[1];
            new TreePathScanner<Void, Void>() {
                @Override
                public Void visitLiteral(LiteralTree inner, Void none) {
                    has[0] |= inner.getValue() instanceof String text && text.contains(" ");
                    return null;
                }

                @Override
                public Void visitVariable(VariableTree inner, Void none) {
                    return null;
                }

                @Override
                public Void visitAssignment(AssignmentTree inner, Void none) {
                    return null;
                }
            }.scan(new TreePath(getCurrentPath(), tree), null);
            return has[0] || tree instanceof IdentifierTree name && name.toString().matches("[A-Z_]{3,}");
        }

        private void add(Tree tree, String error, List<? extends ExpressionTree> arguments) {
            long line = unit.getLineMap().getLineNumber(trees.getSourcePositions().getStartPosition(unit, tree));
            String where = file().replaceFirst(".*/dev/sheaf/", "");
            String text = String.join(" ‖ ", arguments.stream().map(this::show).toList());
            found.merge(
                    "%s:%05d".formatted(where, line),
                    error + " | " + text.replace("\n", " "),
                    (a, b) -> a.equals(b) ? a : a + " / " + b);
        }

        private String show(Tree tree) {
            return switch (tree) {
                case LiteralTree literal -> String.valueOf(literal.getValue());
                case BinaryTree sum when sum.getKind() == Tree.Kind.PLUS ->
                    show(sum.getLeftOperand()) + show(sum.getRightOperand());
                case ParenthesizedTree inner -> show(inner.getExpression());
                case ConditionalExpressionTree choice ->
                    "[" + show(choice.getTrueExpression()) + " ¦ " + show(choice.getFalseExpression()) + "]";
                case IdentifierTree name when name.toString().matches("[A-Z][A-Z_]+") -> constant(name.toString());
                default -> "{" + tree.toString().replaceAll("\\s+", " ") + "}";
            };
        }

        /// Returns the value of a constant of this file, or its name.
        private String constant(String name) {
            var value = new String[] {"{" + name + "}"};
            new TreePathScanner<Void, Void>() {
                @Override
                public Void visitVariable(VariableTree inner, Void none) {
                    if (inner.getName().contentEquals(name) && inner.getInitializer() != null) {
                        value[0] = show(inner.getInitializer());
                    }
                    return null;
                }
            }.scan(unit, null);
            return value[0];
        }

        private String file() {
            return unit.getSourceFile().getName();
        }

        private String name(Tree tree) {
            return tree instanceof MemberSelectTree select ? select.getIdentifier().toString() : tree.toString();
        }
    }
}
