/// The pages of an organization's namespaces and their transfers.
@NullMarked
package dev.sheaf.server.org.pages.namespace;

import org.jspecify.annotations.NullMarked;
