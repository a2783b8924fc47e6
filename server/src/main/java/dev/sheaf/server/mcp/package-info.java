/// The Model Context Protocol over HTTP. It offers bundles through tools, and skills as resources.
@NullMarked
package dev.sheaf.server.mcp;

import org.jspecify.annotations.NullMarked;
