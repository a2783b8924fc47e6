/// The pages of an organization's keys.
@NullMarked
package dev.sheaf.server.console.org.key;

import org.jspecify.annotations.NullMarked;
