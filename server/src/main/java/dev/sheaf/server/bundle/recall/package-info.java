/// Recalls: what turned out bad is taken from readers, and those who have it learn of it.
@NullMarked
package dev.sheaf.server.bundle.recall;

import org.jspecify.annotations.NullMarked;
