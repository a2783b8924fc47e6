/// The page of an organization's key policy.
@NullMarked
package dev.sheaf.server.org.pages.policy;

import org.jspecify.annotations.NullMarked;
