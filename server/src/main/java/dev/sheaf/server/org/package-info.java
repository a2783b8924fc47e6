/// Organizations, their namespaces and API keys, and the audit log.
@NullMarked
package dev.sheaf.server.org;

import org.jspecify.annotations.NullMarked;
