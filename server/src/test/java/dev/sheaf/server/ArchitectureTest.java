package dev.sheaf.server;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The import list, the fences and the sizes of ARCHITECTURE.md, checked.
class ArchitectureTest {
    private static final String ROOT = "dev.sheaf.server";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    /// What each package may import of the server's own; every one may import model.
    private static final Map<String, List<String>> IMPORTS = Map.ofEntries(
            Map.entry(
                    "http.v1",
                    List.of("http", "rate", "bundle", "registry", "task", "identity", "org", "audit", "auth", "cpu")),
            Map.entry("http.v2", List.of("http", "bundle", "registry", "org", "auth")),
            Map.entry("ops", List.of("http", "rate")),
            Map.entry("http", List.of("idempotency", "rate", "audit", "auth", "cpu")),
            Map.entry("rate", List.of("db")),
            Map.entry("idempotency", List.of("db")),
            Map.entry("integrity", List.of("bundle", "registry", "blob", "task", "org", "audit", "auth", "db")),
            Map.entry("bundle", List.of("registry", "task", "org", "audit", "auth", "event", "db", "cpu")),
            Map.entry("registry", List.of("blob", "task", "org", "audit", "auth", "event", "db", "cpu")),
            Map.entry("task", List.of("org", "audit", "auth", "db")),
            Map.entry("identity", List.of("org", "audit", "auth", "event", "db", "cpu")),
            Map.entry("org", List.of("audit", "auth", "event", "db")),
            Map.entry("audit", List.of("auth", "db")),
            Map.entry("auth", List.of("db")),
            Map.entry("event", List.of("db")),
            Map.entry("blob", List.of()),
            Map.entry("cpu", List.of()),
            Map.entry("db", List.of("cpu")));

    @Test
    void importsPointDownTheList() {
        IMPORTS.forEach((name, allowed) -> {
            var others = new ArrayList<>(IMPORTS.keySet());
            others.removeAll(allowed);
            others.remove(name);
            noClasses()
                    .that(resideInAPackage(ROOT + "." + name))
                    .should()
                    .dependOnClassesThat(resideInAnyPackage(
                            others.stream().map(other -> ROOT + "." + other).toArray(String[]::new)))
                    .orShould()
                    .dependOnClassesThat(resideInAPackage(ROOT))
                    .as(name + " imports only " + allowed)
                    .check(CLASSES);
        });
    }

    @Test
    void everyPackageStandsInTheList() {
        var packages = CLASSES.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> !name.equals(ROOT))
                .map(name -> name.substring(ROOT.length() + 1))
                .distinct();

        assertThat(packages).containsExactlyInAnyOrderElementsOf(IMPORTS.keySet());
    }

    @Test
    void thereAreNoCycles() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void librariesStayBehindTheirFences() {
        fence("Helidon", "io.helidon..", resideInAnyPackage(ROOT + ".http", ROOT + ".http.v1", ROOT + ".http.v2"));
        fence(
                "Jackson",
                "tools.jackson..",
                resideInAnyPackage(ROOT + ".http..", ROOT + ".event", ROOT + ".task", ROOT + ".integrity"));
        fence("JDBI", "org.jdbi..", resideInAPackage(ROOT + ".db").or(simpleNameEndingWith("Rows")));
        fence("the S3 SDK", "software.amazon..", resideInAPackage(ROOT + ".blob"));
        fence("the Markdown library", "org.commonmark..", simpleName("Readme").or(simpleName("ReadmeBounds")));
        fence("the HTML sanitizer", "org.owasp..", simpleName("Readme").or(simpleName("ReadmeBounds")));
        fence("the rate limit library", "io.github.bucket4j..", resideInAPackage(ROOT + ".rate"));
        fence("Bouncy Castle", "org.bouncycastle..", simpleName("Passwords"));
        fence("the JWT library", "com.nimbusds..", resideInAPackage(ROOT + ".auth"));
    }

    private static void fence(
            String library, String its, com.tngtech.archunit.base.DescribedPredicate<? super JavaClass> allowed) {
        noClasses()
                .that(new com.tngtech.archunit.base.DescribedPredicate<JavaClass>("are outside the fence") {
                    @Override
                    public boolean test(JavaClass type) {
                        JavaClass outer = type;
                        while (outer.getEnclosingClass().isPresent()) {
                            outer = outer.getEnclosingClass().get();
                        }
                        return !allowed.test(outer);
                    }
                })
                .should()
                .dependOnClassesThat(resideInAPackage(its))
                .as(library + " stays behind its fence")
                .check(CLASSES);
    }

    @Test
    void constructorsTakeFewParameters() {
        classes().that().areNotRecords().should(haveShortConstructors()).check(CLASSES);
    }

    private static ArchCondition<JavaClass> haveShortConstructors() {
        return new ArchCondition<>("have constructors of at most 8 parameters") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getConstructors().stream()
                        .filter(constructor ->
                                constructor.getRawParameterTypes().size() > 8)
                        .forEach(constructor ->
                                events.add(SimpleConditionEvent.violated(constructor, constructor.getFullName())));
            }
        };
    }

    @Test
    void filesAndMethodsStayShort() throws IOException {
        var tooLong = new ArrayList<String>();
        for (String module : List.of("model", "client", "cli", "server")) {
            try (var files = Files.walk(Path.of("..", module, "src"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    var lines = Files.readAllLines(file);
                    if (lines.size() > 400) {
                        tooLong.add(file + ": " + lines.size() + " lines");
                    }
                    Methods.longerThan(40, lines).forEach(method -> tooLong.add(file + ": " + method));
                }
            }
        }

        assertThat(tooLong).isEmpty();
    }

    /// Finds long methods in formatted source: a method opens with a brace at one level of a class and closes at
    /// its indent.
    private static final class Methods {
        static List<String> longerThan(int limit, List<String> lines) {
            var found = new ArrayList<String>();
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                int indent = line.length() - line.stripLeading().length();
                boolean opens = indent % 4 == 0
                        && indent > 0
                        && line.endsWith("{")
                        && !line.endsWith("-> {")
                        && line.matches(" +(?:public |private |protected |static |final |synchronized |abstract |<)*"
                                + "[\\w<>\\[\\],.?@ ]+ \\w+\\(.*");
                if (opens
                        && !line.contains(" record ")
                        && !line.matches(" +(if|for|while|switch|try|return|else|new).*")) {
                    int end = i + 1;
                    String close = " ".repeat(indent) + "}";
                    while (end < lines.size() && !lines.get(end).equals(close)) {
                        end++;
                    }
                    if (end - i > limit) {
                        found.add("line " + (i + 1) + ", " + (end - i) + " lines");
                    }
                }
            }
            return found;
        }
    }
}
