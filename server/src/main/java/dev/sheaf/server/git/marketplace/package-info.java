/// Namespaces as git repositories in which agent programs find plugins.
@NullMarked
package dev.sheaf.server.git.marketplace;

import org.jspecify.annotations.NullMarked;
