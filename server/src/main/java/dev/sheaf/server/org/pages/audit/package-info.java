/// The pages of an organization's audit log.
@NullMarked
package dev.sheaf.server.org.pages.audit;

import org.jspecify.annotations.NullMarked;
