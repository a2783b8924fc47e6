package dev.sheaf.model.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Files of a plugin of any bytes: they are read, or refused with the line.
class ParsersFuzz {
    @FuzzTest
    void manifest(byte[] data) {
        var read = ManifestReader.of(data);
        var manifest = read.manifest();
        assertThat(manifest == null || PluginManifest.isName(manifest.name())).isTrue();
        assertThat(read.notes())
                .allMatch(note -> note.line() > 0 && !note.message().isBlank());
        assertThat(manifest != null || !read.notes().isEmpty()).isTrue();
    }

    @FuzzTest
    void servers(byte[] data) {
        var read = McpFile.read(data);
        assertThat(read.notes())
                .allMatch(note -> note.line() > 0 && !note.message().isBlank());
        assertThat(read.servers()).allMatch(server -> !server.words().isBlank());
    }
}
