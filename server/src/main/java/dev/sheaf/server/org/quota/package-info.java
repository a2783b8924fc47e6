/// The usage of organizations, and its limits.
@NullMarked
package dev.sheaf.server.org.quota;

import org.jspecify.annotations.NullMarked;
