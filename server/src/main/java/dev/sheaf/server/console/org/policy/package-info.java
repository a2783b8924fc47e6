/// The page of an organization's key policy.
@NullMarked
package dev.sheaf.server.console.org.policy;

import org.jspecify.annotations.NullMarked;
