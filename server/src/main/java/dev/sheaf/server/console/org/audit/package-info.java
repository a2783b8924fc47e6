/// The pages of an organization's audit log.
@NullMarked
package dev.sheaf.server.console.org.audit;

import org.jspecify.annotations.NullMarked;
