/// Outgoing calls to other servers.
@NullMarked
package dev.sheaf.server.net;

import org.jspecify.annotations.NullMarked;
