package dev.sheaf.model.plugin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An MCP server of a plugin: an entry of its `mcp.json` that programs accept (Agent Plugins 1.0, section 7.2). The
/// texts
/// are the publisher's and untrusted.
public sealed interface PluginServer {
    /// Returns the name of its entry.
    String name();

    /// Returns its command with arguments, or its address, in one line.
    String words();

    /// A program that is started.
    ///
    /// @param command a name that the system looks up, or a path in the plugin that begins with `./`
    /// @param env in the order of the file
    /// @param cwd null for the root of the plugin
    record Stdio(
            String name,
            String command,
            List<String> args,
            Map<String, String> env,
            @Nullable String cwd) implements PluginServer {
        public Stdio {
            args = List.copyOf(args);
            env = new LinkedHashMap<>(env);
        }

        /// Returns the path of the program in the plugin; empty if it is a name that the system looks up.
        public Optional<String> file() {
            return command.startsWith(McpFile.INSIDE)
                    ? ServerReader.normalized(command.substring(McpFile.INSIDE.length()))
                    : Optional.empty();
        }

        /// Returns the folder in which it is started.
        public Folder folder() {
            return ServerReader.folder(cwd)
                    .orElseThrow(() -> new IllegalStateException("checked when the file was read: " + cwd));
        }

        @Override
        public String words() {
            return (command + " " + String.join(" ", args)).strip();
        }
    }

    /// A folder of a plugin.
    ///
    /// @param isData whether it is in the data that the plugin keeps, and not among its files
    /// @param path the path there, without `.` and `..`; empty for the whole folder. Placeholders are not replaced
    record Folder(boolean isData, String path) {}

    /// A server that is reached by HTTP.
    ///
    /// @param isSse whether it speaks the older protocol with server-sent events
    /// @param headers in the order of the file
    record Remote(String name, boolean isSse, String url, Map<String, String> headers) implements PluginServer {
        public Remote {
            headers = new LinkedHashMap<>(headers);
        }

        @Override
        public String words() {
            return url;
        }
    }
}
