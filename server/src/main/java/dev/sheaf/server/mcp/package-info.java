/// The Model Context Protocol over HTTP: bundles as tools, and skills as resources, for programs that know nothing else
/// of this service.
@NullMarked
package dev.sheaf.server.mcp;

import org.jspecify.annotations.NullMarked;
