package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.Installation;
import dev.sheaf.client.RunningWork;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.agents.WantedBundle;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.PushOptions;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.credentials.Credentials;
import dev.sheaf.client.lock.LockFile;
import dev.sheaf.client.queue.NewJob;
import dev.sheaf.client.queue.QueueSettings;
import dev.sheaf.client.work.Outcome;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The programs of docs/sdk.md are here, to the letter, and run against a registry.
class SdkPageTest {
    private static final Pattern PROGRAM = Pattern.compile("(?s)```java\n(.*?)```");

    @TempDir
    private Path folder;

    private static SheafClient open(String address, String apiKey) {
        return SheafClient.of(RegistryUrl.parse(address)).key(Secret.of(apiKey)).open();
    }

    private static SheafClient openAsUser(String address, HttpClient http) {
        var url = RegistryUrl.parse(address);
        return SheafClient.of(url)
                .credentials(Credentials.ofThisUser(url)) // of `sheaf login`, or SHEAF_API_KEY
                .httpClient(http) // instead of one with the proxies and authorities of the environment
                .timeout(Duration.ofSeconds(10))
                .retries(1)
                .open();
    }

    private static void push(SheafClient registry, Path kit) {
        var options = PushOptions.DEFAULT.withVisibility(Visibility.PUBLIC).withTags(List.of(Tag.parse("stable")));
        var pushed = registry.push(kit, Reference.parse("acme/java-kit:1.0.0"), options);
        System.out.println(pushed.pinnedReference()); // acme/java-kit@sha256:…
    }

    private static void pull(SheafClient registry, Path target) {
        var pulled = registry.pull(Reference.parse("acme/java-kit:^1.0"), target);
        for (var file : pulled.assets()) {
            System.out.println(file.asset().path() + " is " + file.file());
        }
    }

    private static void queue(SheafClient registry) throws InterruptedException {
        registry.queues().create(QueueSettings.NONE.slug("checks").name("Checks"));
        var job = registry.jobs()
                .enqueue("checks", NewJob.of(Map.of("name", "acme/kit")).priority("high"));
        try (var worker = registry.worker("checks")
                .maxJobs(1)
                .handler(held -> {
                    held.progress(50, "half of it");
                    return Outcome.completed(
                            Map.of("found", String.valueOf(held.job().inputData())));
                })
                .start()) {
            worker.await();
        }
        System.out.println(
                registry.jobs().await(job.id(), Duration.ofMinutes(1)).outputData());
    }

    private static String failures(SheafClient registry, Path target) {
        try {
            registry.pull(Reference.parse("acme/java-kit:9.0.0"), target);
            return "pulled";
        } catch (SheafException.NotFound e) {
            return "it does not exist, or this key may not see it: " + e.getMessage();
        } catch (SheafException.RateLimited e) {
            return "again in " + e.waitTime().toSeconds() + " s";
        } catch (SheafException.Network e) {
            return "not reached: " + e.getMessage();
        }
    }

    private static void lock(SheafClient registry, String address, Path target, Path file) {
        var wanted = Reference.parse("acme/java-kit:^1.0");
        LockFile.read(file).with(registry.lock(wanted, PullOptions.DEFAULT)).write(file);

        var locked =
                LockFile.read(file).find(RegistryUrl.parse(address), wanted).orElseThrow();
        registry.pull(wanted, target, PullOptions.DEFAULT.frozen(locked));
    }

    private static void install(SheafClient registry, String address, Path project) {
        Function<RegistryUrl, SheafClient> clients = url -> registry; // a client for each registry that the files name
        var installation = new Installation(project, InstallLevel.PROJECT, clients, Progress.NONE);
        var kit = WantedBundle.of(RegistryUrl.parse(address), RepositoryName.parse("acme/java-kit"))
                .withRange("^1.0")
                .withAgents(List.of("claude-code", "cursor"));
        var report = installation.add(List.of(kit), InstallOptions.DEFAULT);
        report.changes().forEach(change -> System.out.println(change.bundle() + " " + change.to()));
        installation.list().forEach(installed -> System.out.println(installed.things()));
    }

    private static void change(SheafClient registry) {
        var bundle = registry.bundle(RepositoryName.parse("acme/java-kit"));
        bundle.tags().set(Tag.parse("stable"), Version.parse("1.0.0"));
        bundle.deprecate(Version.parse("1.0.0"), "Use 2.0.0.", "2.0.0");
        var verdicts = registry.verdicts(List.of(Reference.parse("acme/java-kit:1.0.0")));
        System.out.println(verdicts.getFirst().verdict()); // ok, deprecated, yanked, recalled or unknown
        bundle.versions(10).forEach(version -> System.out.println(version.version() + " " + version.state()));
        System.out.println(bundle.passport("1.0.0").rows().reaches()); // what its files name
    }

    private static void later(SheafClient registry, Path target) {
        RunningWork<Object> running = registry.start(client -> client.pull(Reference.parse("acme/java-kit"), target));
        var pulled = running.await(Duration.ofMinutes(1)); // empty if it is not done; or running.cancel()
        System.out.println(pulled.isPresent());
    }

    private static final class Bar implements Progress {
        @Override
        public Transfer begin(Activity activity, String name, long totalBytes) {
            return Progress.NONE.begin(activity, name, totalBytes); // or one that draws what advances
        }

        @Override
        public void notice(String message) {
            System.err.println(message);
        }

        @Override
        public void waiting(String registry, Duration elapsed) {
            System.err.println("waiting for " + registry + ", " + elapsed.toSeconds() + " s");
        }
    }

    @Test
    void thePagesProgramsRun() throws IOException, InterruptedException {
        Path kit = Files.createDirectories(folder.resolve("kit"));
        Files.writeString(kit.resolve("a.txt"), "x");
        Path skill = Files.createDirectories(kit.resolve("skills/pdf")).resolve("SKILL.md");
        Files.writeString(skill, "---\nname: pdf\ndescription: Forms.\n---\n");
        try (var app = TestApp.start(folder.resolve("data"));
                var registry = SheafClient.of(RegistryUrl.parse(app.url()))
                        .key(Secret.of(app.admin()))
                        .cache(folder.resolve("cache"))
                        .progress(new Bar())
                        .open()) {
            push(registry, kit);
            pull(registry, folder.resolve("one"));
            lock(registry, app.url(), folder.resolve("two"), folder.resolve("sheaf.lock"));
            install(registry, app.url(), folder.resolve("project"));
            change(registry);
            later(registry, folder.resolve("three"));
            queue(registry);

            assertThat(failures(registry, folder.resolve("four"))).startsWith("it does not exist");
            try (var other = open(app.url(), app.admin())) {
                assertThat(other.me().organization()).isNotNull();
            }
            try (var http = HttpClient.newHttpClient();
                    var other = openAsUser(app.url(), http)) {
                assertThat(other.resolve(Reference.parse("acme/java-kit")).version())
                        .isEqualTo("1.0.0");
            }
        }

        assertThat(folder.resolve("project/.claude/skills/pdf/SKILL.md")).hasSameBinaryContentAs(skill);
        for (String target : List.of("one", "two", "three")) {
            assertThat(folder.resolve(target).resolve("a.txt")).hasContent("x");
        }
    }

    @Test
    void thePageHasThesePrograms() throws IOException {
        String page = Files.readString(Path.of("../docs/sdk.md"));
        String own = plain(Files.readString(Path.of("src/test/java/dev/sheaf/cli/SdkPageTest.java")));

        var programs =
                PROGRAM.matcher(page).results().map(match -> match.group(1)).toList();

        assertThat(programs)
                .hasSizeGreaterThan(6)
                .allSatisfy(program -> assertThat(own).contains(plain(program)));
    }

    @Test
    void thePageNamesTheVersionOfTheSources() throws IOException {
        var version = Pattern.compile("<artifactId>sheaf(?:-client)?</artifactId>\\s*<version>([^<]+)</version>");
        var sources = version.matcher(Files.readString(Path.of("../pom.xml")));
        var page = version.matcher(Files.readString(Path.of("../docs/sdk.md")));

        assertThat(sources.find() && page.find()).isTrue();
        assertThat(page.group(1)).isEqualTo(sources.group(1));
    }

    /// However far it is set in.
    private static String plain(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }
}
