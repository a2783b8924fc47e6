/// The page of what an organization allows its keys.
@NullMarked
package dev.sheaf.server.console.org.policy;

import org.jspecify.annotations.NullMarked;
