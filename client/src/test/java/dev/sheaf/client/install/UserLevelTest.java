package dev.sheaf.client.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.agents.WantedBundle;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Things for all projects of a user are installed in the home, as are the files that describe them.
class UserLevelTest {
    @Test
    void writesToTheHome(@TempDir Path folder) {
        try (var workshop = new Workshop(folder)) {
            workshop.publish("acme/kit:1.0.0", "skills/a/SKILL.md a", "hooks/hooks.json {}");
            Path home = folder.resolve("home");
            var wish = new WantedBundle(
                    workshop.registry.url(),
                    Workshop.KIT,
                    WantedBundle.range("^1.0"),
                    new TreeSet<>(Set.of(ThingName.parse("a"))),
                    new TreeSet<>(Set.of("claude-code", "windsurf")),
                    true);
            var installation = workshop.home(home);

            installation.add(List.of(wish), InstallOptions.DEFAULT);

            assertThat(Workshop.tree(home))
                    .containsEntry(".claude/skills/a/SKILL.md", "a")
                    .containsEntry(".codeium/windsurf/skills/a", "-> ../../../.claude/skills/a")
                    .containsOnlyKeys(
                            ".claude/skills/a/SKILL.md",
                            ".codeium/windsurf/skills/a",
                            ".sheaf/installed.lock",
                            ".sheaf/sheaf-install.json",
                            ".sheaf/sheaf-install.lock");
            assertThat(home.resolve(".codeium/windsurf/skills/a/SKILL.md")).hasContent("a");
            assertThat(workshop.notices).anyMatch(notice -> notice.startsWith("hooks of acme/kit are left out"));

            assertThat(installation.install(InstallOptions.DEFAULT.frozen(true)).written())
                    .isZero();
            installation.remove(Workshop.KIT, Set.of(), InstallOptions.DEFAULT);
            assertThat(Workshop.tree(home)).containsOnlyKeys(".sheaf/sheaf-install.json", ".sheaf/sheaf-install.lock");
        }
    }
}
