/// The page of a push that needs approval.
@NullMarked
package dev.sheaf.server.bundle.pages.review;

import org.jspecify.annotations.NullMarked;
