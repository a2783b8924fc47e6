/// JSON of organizations and who belongs to them.
@NullMarked
package dev.sheaf.model.wire.org;

import org.jspecify.annotations.NullMarked;
