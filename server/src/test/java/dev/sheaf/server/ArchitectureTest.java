package dev.sheaf.server;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.sheaf.server.testing.JavaSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The import list and the fences of ARCHITECTURE.md, checked.
class ArchitectureTest {
    private static final String ROOT = "dev.sheaf.server";
    private static final String ENGINE = "dev.sheaf.engine";
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.sheaf");
    private static final JavaClasses CLASSES = ALL.that(resideInAnyPackage(ROOT + "..", ENGINE + ".."));

    /// What a feature has in folders of its own: its routes, and its pages.
    private static final Set<String> SHOWN = Set.of("api", "pages");

    /// What each part may import of the server's others; every one may import model, the engine and heap. The hub's
    /// entries are written in the transactions of bundles, so these two know each other.
    private static final Map<String, List<String>> IMPORTS = Map.ofEntries(
            Map.entry(
                    "local", List.of("module", "node", "config", "maintenance", "identity", "http", "auth", "schema")),
            Map.entry(
                    "module",
                    List.of(
                            "pages",
                            "console",
                            "client",
                            "api",
                            "git",
                            "apm",
                            "ard",
                            "catalog",
                            "clawhub",
                            "mcp",
                            "agents",
                            "ops",
                            "http",
                            "idempotency",
                            "rate",
                            "maintenance",
                            "scan",
                            "webhook",
                            "queue",
                            "skill",
                            "hub",
                            "bundle",
                            "registry",
                            "identity",
                            "org",
                            "audit",
                            "event",
                            "auth",
                            "node",
                            "config")),
            Map.entry(
                    "pages",
                    List.of(
                            "api",
                            "client",
                            "console",
                            "ops",
                            "http",
                            "maintenance",
                            "webhook",
                            "queue",
                            "hub",
                            "bundle",
                            "registry",
                            "identity",
                            "org",
                            "audit",
                            "event",
                            "auth",
                            "skill")),
            Map.entry(
                    "console",
                    List.of(
                            "ops",
                            "http",
                            "maintenance",
                            "webhook",
                            "queue",
                            "hub",
                            "bundle",
                            "registry",
                            "identity",
                            "org",
                            "audit",
                            "event",
                            "auth")),
            Map.entry("node", List.of("config", "auth", "schema")),
            Map.entry("config", List.of("http", "registry", "auth")),
            Map.entry(
                    "api",
                    List.of(
                            "agents",
                            "apm",
                            "ard",
                            "catalog",
                            "clawhub",
                            "http",
                            "rate",
                            "maintenance",
                            "scan",
                            "webhook",
                            "queue",
                            "hub",
                            "bundle",
                            "registry",
                            "identity",
                            "org",
                            "audit",
                            "event",
                            "auth",
                            "skill")),
            Map.entry("client", List.of("skill")),
            Map.entry("git", List.of("http", "skill", "bundle", "registry", "auth")),
            Map.entry("apm", List.of("http", "skill", "bundle", "registry", "auth")),
            Map.entry("ard", List.of("catalog", "hub")),
            Map.entry("catalog", List.of("http", "skill", "hub", "bundle", "auth")),
            Map.entry("clawhub", List.of("agents", "http", "skill", "bundle", "registry", "auth")),
            Map.entry("mcp", List.of("agents", "http", "skill", "hub", "bundle", "registry", "auth")),
            Map.entry("agents", List.of("http", "skill", "hub", "bundle", "registry", "org", "auth")),
            Map.entry("ops", List.of("http", "auth")),
            Map.entry("http", List.of("idempotency", "rate", "audit", "auth")),
            Map.entry("rate", List.of()),
            Map.entry("idempotency", List.of()),
            Map.entry("maintenance", List.of("bundle", "hub", "registry", "org", "audit", "event", "auth", "schema")),
            Map.entry("queue", List.of("bundle", "org", "audit", "auth", "event")),
            Map.entry("scan", List.of("webhook", "bundle", "registry")),
            Map.entry("webhook", List.of("org", "audit", "event", "auth")),
            Map.entry("skill", List.of("bundle", "registry")),
            Map.entry("hub", List.of("bundle", "registry", "audit", "event", "auth")),
            Map.entry("bundle", List.of("hub", "registry", "org", "audit", "auth", "event")),
            Map.entry("registry", List.of("org", "auth", "event")),
            Map.entry("identity", List.of("org", "audit", "auth", "event")),
            Map.entry("org", List.of("audit", "auth", "event")),
            Map.entry("audit", List.of("auth")),
            Map.entry("event", List.of("auth")),
            Map.entry("auth", List.of()),
            Map.entry("schema", List.of()),
            Map.entry("heap", List.of()));

    /// What each part of the engine may import of its others; every one may import heap.
    private static final Map<String, List<String>> ENGINE_IMPORTS = Map.ofEntries(
            Map.entry("http", List.of("blob", "net", "trace")),
            Map.entry("work", List.of("db", "metrics")),
            Map.entry("db", List.of("cpu", "metrics")),
            Map.entry("blob", List.of("cpu", "metrics")),
            Map.entry("template", List.of("cpu")),
            Map.entry("input", List.of()),
            Map.entry("cpu", List.of()),
            Map.entry("net", List.of("trace")),
            Map.entry("trace", List.of("metrics")),
            Map.entry("metrics", List.of()),
            Map.entry("heap", List.of()));

    @Test
    void importsPointDownTheList() {
        checkImports(ROOT, IMPORTS);
        checkImports(ENGINE, ENGINE_IMPORTS);
    }

    private static void checkImports(String root, Map<String, List<String>> imports) {
        imports.forEach((name, allowed) -> {
            var others = new ArrayList<>(imports.keySet());
            others.removeAll(allowed);
            others.remove(name);
            others.remove("heap"); // everybody's caches have their sizes from there
            noClasses()
                    .that(areOf(root, List.of(name)))
                    .should()
                    .dependOnClassesThat(areOf(root, others))
                    .orShould()
                    .dependOnClassesThat(resideInAPackage(ROOT))
                    .as(root + "." + name + " imports only " + allowed)
                    .check(CLASSES);
        });
    }

    /// They ask features.
    @Test
    void neitherRoutesNorPagesReadTablesOrObjects() {
        noClasses()
                .that(areOf(ROOT, List.of("api", "pages", "console", "mcp", "agents", "ops", "http")))
                .should()
                .dependOnClassesThat(areOf(ENGINE, List.of("db", "blob")))
                .check(CLASSES);
    }

    /// So that it can be read, and changed, by somebody who knows nothing of bundles. The kinds of cached objects are
    /// the exception: the compiler completes the lists of those who listen.
    @Test
    void theEngineKnowsNothingOfBundles() throws IOException {
        var subject = Pattern.compile("(?i)bundle|namespace|repository|manifest|skill");
        var found = new ArrayList<String>();
        for (Path file : JavaSources.files()) {
            if (file.toString().contains("engine") && !file.endsWith("DataChange.java")) {
                subject.matcher(Files.readString(file))
                        .results()
                        .forEach(word -> found.add(file.getFileName() + ": " + word.group()));
            }
        }

        assertThat(found).isEmpty();
    }

    private static DescribedPredicate<JavaClass> areOf(String root, List<String> parts) {
        return describe("are of " + parts, one -> parts.contains(part(root, one)));
    }

    /// Returns the first word of a package below a root; of what a feature shows, `api` or `pages`.
    private static String part(String root, JavaClass one) {
        var words = List.of(one.getPackageName().split("\\."));
        int depth = root.split("\\.").length;
        if (words.size() <= depth || !one.getPackageName().startsWith(root + ".")) {
            return "";
        }
        return words.size() > depth + 1 && SHOWN.contains(words.get(depth + 1))
                ? words.get(depth + 1)
                : words.get(depth);
    }

    /// A page of one feature needs nothing of another's, and what routes share stands below them.
    @Test
    void noFeatureReachesIntoThePagesOfAnother() {
        slices().matching(ROOT + ".(*).pages..").should().notDependOnEachOther().check(CLASSES);
    }

    @Test
    void everyPackageStandsInTheList() {
        assertThat(parts(ROOT)).containsExactlyInAnyOrderElementsOf(IMPORTS.keySet());
        assertThat(parts(ENGINE)).containsExactlyInAnyOrderElementsOf(ENGINE_IMPORTS.keySet());
    }

    private static Stream<String> parts(String root) {
        return CLASSES.stream()
                .map(one -> part(root, one))
                .filter(name -> !name.isEmpty())
                .distinct();
    }

    /// The page is what people read, so it is compared with the list.
    @Test
    void thePageHasThemInThisOrder() throws IOException {
        checkOrder("Main, App", IMPORTS);
        checkOrder("the engine", ENGINE_IMPORTS);
    }

    private static void checkOrder(String begin, Map<String, List<String>> imports) throws IOException {
        String page = Files.readString(Path.of("../ARCHITECTURE.md"));
        int start = page.indexOf("\n" + begin) + 1;
        var order = page.substring(start, page.indexOf("```", start))
                .lines()
                .skip(1)
                .flatMap(line -> Stream.of(line.split(" {3,}")[0].split(" +")))
                .map(name -> name.replace("/...", ""))
                .toList();

        assertThat(order).containsExactlyInAnyOrderElementsOf(imports.keySet());
        imports.forEach((name, allowed) -> allowed.stream()
                .filter(other -> !(name.equals("bundle") && other.equals("hub")))
                .forEach(other -> assertThat(order.indexOf(other))
                        .as(name + " imports " + other)
                        .isGreaterThan(order.indexOf(name))));
    }

    @Test
    void thereAreNoCycles() {
        slices().matching("dev.sheaf.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void librariesStayBehindTheirFences() {
        fence("Netty", "io.netty..", resideInAPackage(ENGINE + ".http"));
        fence(
                "Jackson",
                "tools.jackson..",
                resideInAnyPackage(
                        ROOT + ".http..",
                        ROOT + ".*.api..",
                        ROOT + ".mcp",
                        ROOT + ".event",
                        ENGINE + ".input",
                        ROOT + ".maintenance.."));
        fence("JDBI", "org.jdbi..", resideInAPackage(ENGINE + ".db.."));
        fence("the S3 SDK", "software.amazon..", resideInAPackage(ENGINE + ".blob.s3"));
        fence(
                "the Markdown library",
                "org.commonmark..",
                simpleName("ReadmeHtml").or(simpleName("ReadmeBounds")));
        fence(
                "the HTML sanitizer",
                "org.owasp..",
                simpleName("ReadmeHtml").or(simpleName("ReadmeBounds")).or(simpleName("ReadmePart")));
        fence("the rate limit library", "io.github.bucket4j..", resideInAPackage(ROOT + ".rate"));
        fence("Bouncy Castle", "org.bouncycastle..", simpleName("Passwords"));
        fence("the Prometheus library", "io.prometheus..", resideInAPackage(ENGINE + ".metrics"));
        fence("OpenTelemetry", "io.opentelemetry..", resideInAPackage(ENGINE + ".trace"));
        fence("the HTTP client", "org.apache.hc..", simpleName("OutgoingClient"));
        fence("the library of forms with files", "org.apache.commons.fileupload2..", simpleName("MultipartForm"));
        fence("JGit", "org.eclipse.jgit..", resideInAPackage(ROOT + ".git.."));
        fence("picocli", "picocli..", resideInAnyPackage(ROOT, ROOT + ".config", ROOT + ".local"));
        fence("the JWT library", "com.nimbusds..", resideInAnyPackage(ROOT + ".auth..", ENGINE + ".net"));
    }

    private static void fence(String library, String its, DescribedPredicate<? super JavaClass> allowed) {
        noClasses()
                .that(new DescribedPredicate<JavaClass>("are outside the fence") {
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

    /// What may be missing is `@Nullable` where it is taken in, and `Optional` only where it is given back. A
    /// component of a record is a parameter of its constructor.
    @Test
    void optionalIsNoParameter() {
        codeUnits().that().areNotPrivate().should(notTakeAnOptional()).check(ALL);
    }

    private static ArchCondition<JavaCodeUnit> notTakeAnOptional() {
        return new ArchCondition<>("not take an Optional") {
            @Override
            public void check(JavaCodeUnit unit, ConditionEvents events) {
                if (!unit.getModifiers().contains(JavaModifier.SYNTHETIC)
                        && unit.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(Optional.class))) {
                    events.add(SimpleConditionEvent.violated(unit, unit.getFullName()));
                }
            }
        };
    }
}
