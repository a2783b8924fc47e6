/// The pages of an organization's namespaces and their transfers.
@NullMarked
package dev.sheaf.server.console.org.namespace;

import org.jspecify.annotations.NullMarked;
