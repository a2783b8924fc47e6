/// JSON of the public hub.
@NullMarked
package dev.sheaf.model.wire.hub;

import org.jspecify.annotations.NullMarked;
