/// One module a feature: what it is made of, and what of it a node serves, repeats and closes. [Modules] is all of
/// them.
@NullMarked
package dev.sheaf.server.module;

import org.jspecify.annotations.NullMarked;
