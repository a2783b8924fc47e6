/// Which pushes need approval, and those that wait for it.
@NullMarked
package dev.sheaf.server.bundle.review;

import org.jspecify.annotations.NullMarked;
