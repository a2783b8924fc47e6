package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.config.Setting;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A public bundle of 60 skills and 600 files, fetched file by file under the rate limits that are the default.
@SuppressWarnings("NullAway.Init") // set before each test
@Tag("programs")
class LargeBundleTest {
    private static final int SKILLS = 60;
    private static final int FILES = 600;

    private TestApp app;
    private Path home;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        var settings = new HashMap<String, String>();
        for (var rate : Setting.values()) {
            if (rate.name().startsWith("RATE_")) {
                settings.put(rate.key(), rate.fallback());
            }
        }
        settings.put("trusted-proxies", "127.0.0.1");
        app = TestApp.start(folder.resolve("data"), settings);
        home = Files.createDirectories(folder.resolve("home"));
        push("large", FILES);
    }

    private void push(String bundle, int count) {
        var files = IntStream.range(0, count).mapToObj(LargeBundleTest::file);
        var reply = app.post(
                OnEveryStack.bundle("acme/" + bundle) + ":push",
                app.admin(),
                PublishedSkills.body("1.0.0", "public", files));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    @AfterEach
    void stop() {
        app.close();
    }

    private static PublishedSkills.File file(int i) {
        String name = "skill-" + i % SKILLS;
        String text = i < SKILLS ? "---\nname: " + name + "\ndescription: Does it.\n---\n" : "file " + i + "\n";
        String path = i < SKILLS ? "SKILL.md" : "references/" + i + ".md";
        return new PublishedSkills.File("skills/" + name + "/" + path, text.getBytes(StandardCharsets.UTF_8), false);
    }

    private String ref(String name) {
        return app.host() + "/acme/" + name + ":1.0.0";
    }

    /// Does it several times at once.
    private static <T> List<T> atOnce(int times, IntFunction<T> work) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Callable<T>>();
            IntStream.range(0, times).forEach(i -> all.add(() -> work.apply(i)));
            var results = new ArrayList<T>();
            for (Future<T> one : threads.invokeAll(all)) {
                results.add(one.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    private static long filesIn(Path folder) throws IOException {
        try (var found = Files.walk(folder)) {
            return found.filter(file -> file.toString().endsWith(".md")).count();
        }
    }

    @Test
    void openCodeLoadsEverySkillFromAColdCache() throws Exception {
        var program = Path.of("../target/tools/skills/node_modules/opencode-linux-x64-baseline/bin/opencode");
        assumeTrue(Files.exists(program), program + " is missing (see .ci/run)");
        var settings = Files.createDirectories(home.resolve(".config/opencode")).resolve("opencode.json");
        Files.writeString(settings, """
                {"skills": {"urls": ["%s/acme/large/.well-known/agent-skills/"]}, "autoupdate": false,
                 "share": "disabled"}""".formatted(app.url()));

        Tool.at(Path.of("/usr/bin/env"), home)
                .with("-u", "XDG_CACHE_HOME", "-u", "XDG_DATA_HOME", "-u", "XDG_STATE_HOME", "CI=1")
                .with("OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1")
                .with("OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1")
                .run(program.toAbsolutePath().toString(), "debug", "skill");

        assertThat(filesIn(home.resolve(".cache/opencode/skills"))).isEqualTo(FILES);
    }

    /// It sends no credential before it is asked for one.
    @Test
    void eightPullsOfOrasAtOnceAreComplete() throws Exception {
        var oras = Tool.installed("oras", "oras", home);
        oras.run(app.admin(), new String[] {"login", "--plain-http", "-u", "any", "--password-stdin", app.host()});

        atOnce(8, i -> oras.run("pull", "--plain-http", "--no-tty", ref("large"), "-o", "pulled" + i));

        for (int i = 0; i < 8; i++) {
            assertThat(filesIn(home.resolve("pulled" + i))).isEqualTo(FILES);
        }
    }

    @Test
    void twelveCopiesOfCraneAtOnceSucceed() throws Exception {
        var crane = Tool.installed("crane", "crane", home);
        crane.run(app.admin(), new String[] {"auth", "login", "-u", "any", "--password-stdin", app.host()});
        push("fifty", 50); // with 600 files they took a minute and a half on two busy cores

        atOnce(12, i -> crane.run("cp", ref("fifty"), ref("copy" + i)));

        var digest = app.send("HEAD", "/v2/acme/fifty/manifests/1.0.0", app.admin(), null)
                .header("Docker-Content-Digest");
        assertThat(app.send("HEAD", "/v2/acme/copy11/manifests/1.0.0", app.admin(), null)
                        .header("Docker-Content-Digest"))
                .isEqualTo(digest);
    }

    /// One address asks for content as fast as it can, all that it may and far beyond.
    @Test
    void aFloodFromOneAddressTakesNothingFromOthers() throws Exception {
        String file = "/acme/large/.well-known/agent-skills/skill-1/SKILL.md";
        var ends = new AtomicBoolean();
        var refused = new AtomicInteger();
        try (var flood = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) {
                flood.submit(() -> {
                    while (!ends.get()) {
                        if (status(file, null, "198.51.100.7") == 429) {
                            refused.incrementAndGet();
                        }
                    }
                });
            }
            try {
                while (refused.get() < 1_000) {
                    assertThat(status(file, null, "198.51.100.8")).isEqualTo(200);
                    assertThat(status(file, app.admin(), "198.51.100.7")).isEqualTo(200);
                }
            } finally {
                ends.set(true);
            }
        }
    }

    private int status(String path, @Nullable String key, String from) {
        return app.send(app.request("GET", path, key, null).header("X-Forwarded-For", from))
                .status();
    }
}
