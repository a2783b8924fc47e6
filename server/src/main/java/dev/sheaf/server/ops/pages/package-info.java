/// The state of the registry, for people.
@NullMarked
package dev.sheaf.server.ops.pages;

import org.jspecify.annotations.NullMarked;
