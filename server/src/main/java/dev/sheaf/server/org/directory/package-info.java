/// Organizations: create, list and rename them, and transfer namespaces between them.
@NullMarked
package dev.sheaf.server.org.directory;

import org.jspecify.annotations.NullMarked;
