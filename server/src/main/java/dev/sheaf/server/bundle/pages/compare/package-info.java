/// The pages that compare two versions.
@NullMarked
package dev.sheaf.server.bundle.pages.compare;

import org.jspecify.annotations.NullMarked;
