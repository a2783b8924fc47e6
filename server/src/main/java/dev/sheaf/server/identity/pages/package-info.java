/// Signing in and out, one's own account, and letting devices in.
@NullMarked
package dev.sheaf.server.identity.pages;

import org.jspecify.annotations.NullMarked;
