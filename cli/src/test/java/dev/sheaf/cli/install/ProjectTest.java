package dev.sheaf.cli.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which folder is meant where none is named.
@SuppressWarnings("NullAway.Init") // set before each test
class ProjectTest {
    @TempDir
    private Path top;

    private Path here;

    @BeforeEach
    void make() throws IOException {
        here = Files.createDirectories(top.resolve("home/repository/part/src"));
    }

    private void git(String folder) throws IOException {
        Files.createDirectories(top.resolve(folder).resolve(".git"));
    }

    private void wanted(String folder) throws IOException {
        Files.writeString(top.resolve(folder).resolve("sheaf-install.json"), "{}");
    }

    private Path nearest() {
        return Project.nearest(here, top.resolve("home"));
    }

    @Test
    void itIsTheNearestOneInTheRepository() throws IOException {
        git("home/repository");
        assertThat(nearest()).isEqualTo(here);
        wanted("home/repository");
        assertThat(nearest()).isEqualTo(top.resolve("home/repository"));
        wanted("home/repository/part");
        assertThat(nearest()).isEqualTo(top.resolve("home/repository/part"));
    }

    @Test
    void whatLiesAboveTheRepositoryIsNotMeant() throws IOException {
        git("home/repository/part");
        wanted("home/repository");
        assertThat(nearest()).isEqualTo(here);
    }

    @Test
    void withoutARepositoryItIsTheFolderItself() throws IOException {
        wanted("home/repository");
        assertThat(nearest()).isEqualTo(here);
    }

    @Test
    void whatLiesAboveTheHomeIsNotMeant() throws IOException {
        git("");
        wanted("");
        wanted("home/repository");
        assertThat(nearest()).isEqualTo(here);
        git("home");
        assertThat(nearest()).isEqualTo(top.resolve("home/repository"));
    }
}
