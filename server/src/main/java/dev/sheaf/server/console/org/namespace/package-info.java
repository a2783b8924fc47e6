/// The pages of an organization's namespaces, and of those that it gives or is given.
@NullMarked
package dev.sheaf.server.console.org.namespace;

import org.jspecify.annotations.NullMarked;
