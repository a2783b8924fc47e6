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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The import list and the fences of ARCHITECTURE.md, checked.
class ArchitectureTest {
    private static final String ROOT = "dev.sheaf.server";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    /// What a feature has in folders of its own: its routes, and its pages.
    private static final Set<String> SHOWN = Set.of("api", "pages");

    /// What each part may import of the server's others; every one may import model and heap. The hub's entries are
    /// written in the transactions of bundles, so these two know each other.
    private static final Map<String, List<String>> IMPORTS = Map.ofEntries(
            Map.entry(
                    "local",
                    List.of(
                            "module",
                            "node",
                            "config",
                            "maintenance",
                            "work",
                            "identity",
                            "http",
                            "auth",
                            "blob",
                            "db",
                            "metrics")),
            Map.entry(
                    "module",
                    List.of(
                            "pages",
                            "console",
                            "api",
                            "git",
                            "mcp",
                            "agents",
                            "ops",
                            "http",
                            "idempotency",
                            "rate",
                            "maintenance",
                            "webhook",
                            "queue",
                            "skill",
                            "hub",
                            "bundle",
                            "registry",
                            "work",
                            "identity",
                            "org",
                            "audit",
                            "event",
                            "auth",
                            "blob",
                            "db",
                            "net",
                            "cpu",
                            "metrics",
                            "trace",
                            "node",
                            "config")),
            Map.entry(
                    "pages",
                    List.of(
                            "api",
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
                            "input",
                            "cpu",
                            "work",
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
                            "auth",
                            "input",
                            "cpu")),
            Map.entry("node", List.of("config", "auth", "blob", "db", "cpu", "metrics", "trace")),
            Map.entry("config", List.of("http", "registry", "auth", "net")),
            Map.entry(
                    "api",
                    List.of(
                            "input",
                            "http",
                            "rate",
                            "maintenance",
                            "work",
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
                            "cpu",
                            "skill")),
            Map.entry("git", List.of("http", "bundle", "registry", "auth", "blob", "db", "cpu")),
            Map.entry("mcp", List.of("agents", "http", "skill", "hub", "bundle", "registry", "auth", "input")),
            Map.entry("agents", List.of("http", "skill", "hub", "bundle", "registry", "org", "auth")),
            Map.entry("ops", List.of("http", "auth", "net", "metrics")),
            Map.entry(
                    "http",
                    List.of("input", "idempotency", "rate", "audit", "auth", "blob", "net", "cpu", "metrics", "trace")),
            Map.entry("rate", List.of("db")),
            Map.entry("idempotency", List.of("db")),
            Map.entry(
                    "maintenance",
                    List.of(
                            "bundle",
                            "hub",
                            "registry",
                            "work",
                            "org",
                            "audit",
                            "event",
                            "auth",
                            "input",
                            "blob",
                            "db")),
            Map.entry(
                    "queue",
                    List.of(
                            "template",
                            "bundle",
                            "org",
                            "audit",
                            "auth",
                            "event",
                            "input",
                            "work",
                            "db",
                            "cpu",
                            "metrics")),
            Map.entry("webhook", List.of("work", "org", "audit", "event", "auth", "input", "db", "net", "metrics")),
            Map.entry("skill", List.of("bundle", "registry", "blob", "db", "cpu")),
            Map.entry("hub", List.of("bundle", "registry", "audit", "event", "auth", "db", "cpu")),
            Map.entry("bundle", List.of("hub", "registry", "org", "audit", "auth", "event", "input", "db", "cpu")),
            Map.entry("registry", List.of("work", "org", "auth", "event", "blob", "db", "cpu")),
            Map.entry("identity", List.of("org", "audit", "auth", "event", "input", "db", "cpu")),
            Map.entry("org", List.of("audit", "auth", "event", "input", "db")),
            Map.entry("audit", List.of("auth", "input", "db")),
            Map.entry("auth", List.of("net", "input", "db", "metrics")),
            Map.entry("event", List.of("auth", "input", "db")),
            Map.entry("work", List.of("event", "db", "metrics")),
            Map.entry("db", List.of("cpu", "metrics")),
            Map.entry("input", List.of()),
            Map.entry("template", List.of("cpu")),
            Map.entry("blob", List.of("cpu", "metrics")),
            Map.entry("metrics", List.of()),
            Map.entry("net", List.of("trace")),
            Map.entry("trace", List.of("metrics")),
            Map.entry("cpu", List.of()),
            Map.entry("heap", List.of()));

    @Test
    void importsPointDownTheList() {
        IMPORTS.forEach((name, allowed) -> {
            var others = new ArrayList<>(IMPORTS.keySet());
            others.removeAll(allowed);
            others.remove(name);
            others.remove("heap"); // everybody's caches have their sizes from there
            noClasses()
                    .that(areOf(List.of(name)))
                    .should()
                    .dependOnClassesThat(areOf(others))
                    .orShould()
                    .dependOnClassesThat(resideInAPackage(ROOT))
                    .as(name + " imports only " + allowed)
                    .check(CLASSES);
        });
    }

    private static DescribedPredicate<JavaClass> areOf(List<String> parts) {
        return describe("are of " + parts, one -> parts.contains(part(one)));
    }

    /// Returns the first word of a package below the server's; of what a feature shows, `api` or `pages`.
    private static String part(JavaClass one) {
        var words = List.of(one.getPackageName().split("\\."));
        int depth = ROOT.split("\\.").length;
        if (words.size() <= depth || !one.getPackageName().startsWith(ROOT + ".")) {
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
        var packages = CLASSES.stream()
                .map(ArchitectureTest::part)
                .filter(name -> !name.isEmpty())
                .distinct();

        assertThat(packages).containsExactlyInAnyOrderElementsOf(IMPORTS.keySet());
    }

    /// The page is what people read, so it is compared with the list.
    @Test
    void thePageHasThemInThisOrder() throws IOException {
        String page = Files.readString(Path.of("../ARCHITECTURE.md"));
        int start = page.indexOf("Main, App");
        var order = page.substring(start, page.indexOf("```", start))
                .lines()
                .skip(1)
                .flatMap(line -> Stream.of(line.split(" {3,}")[0].split(" +")))
                .map(name -> name.replace("/...", ""))
                .toList();

        assertThat(order).containsExactlyInAnyOrderElementsOf(IMPORTS.keySet());
        IMPORTS.forEach((name, allowed) -> allowed.stream()
                .filter(other -> !(name.equals("bundle") && other.equals("hub")))
                .forEach(other -> assertThat(order.indexOf(other))
                        .as(name + " imports " + other)
                        .isGreaterThan(order.indexOf(name))));
    }

    @Test
    void thereAreNoCycles() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void librariesStayBehindTheirFences() {
        fence("Netty", "io.netty..", resideInAnyPackage(ROOT + ".http.server"));
        fence(
                "Jackson",
                "tools.jackson..",
                resideInAnyPackage(
                        ROOT + ".http..",
                        ROOT + ".*.api..",
                        ROOT + ".mcp",
                        ROOT + ".event",
                        ROOT + ".input",
                        ROOT + ".maintenance.."));
        fence("JDBI", "org.jdbi..", resideInAPackage(ROOT + ".db.."));
        fence("the S3 SDK", "software.amazon..", resideInAPackage(ROOT + ".blob.s3"));
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
        fence("the Prometheus library", "io.prometheus..", resideInAPackage(ROOT + ".metrics"));
        fence("OpenTelemetry", "io.opentelemetry..", resideInAPackage(ROOT + ".trace"));
        fence("the HTTP client", "org.apache.hc..", simpleName("OutgoingClient"));
        fence("the library of forms with files", "org.apache.commons.fileupload2..", simpleName("MultipartForm"));
        fence("JGit", "org.eclipse.jgit..", resideInAPackage(ROOT + ".git.."));
        fence("picocli", "picocli..", resideInAnyPackage(ROOT, ROOT + ".config", ROOT + ".local"));
        fence("the JWT library", "com.nimbusds..", resideInAnyPackage(ROOT + ".auth..", ROOT + ".net"));
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
        var all = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.sheaf");

        codeUnits().that().areNotPrivate().should(notTakeAnOptional()).check(all);
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
