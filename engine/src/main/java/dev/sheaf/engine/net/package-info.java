/// Outgoing calls to other servers.
@NullMarked
package dev.sheaf.engine.net;

import org.jspecify.annotations.NullMarked;
