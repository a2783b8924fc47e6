/// The page with the pushes of an organization that need approval.
@NullMarked
package dev.sheaf.server.org.pages.review;

import org.jspecify.annotations.NullMarked;
