/// Organizations: what they have and use, and who may do what in them.
@NullMarked
package dev.sheaf.server.console.org;

import org.jspecify.annotations.NullMarked;
