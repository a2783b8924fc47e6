/// Agent Plugins 1.0: the manifest `plugin.json` and the servers in `mcp.json`, with the checks of both.
@NullMarked
package dev.sheaf.model.plugin;

import org.jspecify.annotations.NullMarked;
