/// Signing in and out, one's own account, and letting devices in.
@NullMarked
package dev.sheaf.server.console.account;

import org.jspecify.annotations.NullMarked;
