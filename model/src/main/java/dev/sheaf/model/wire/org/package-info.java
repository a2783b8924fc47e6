/// JSON of organizations and their members.
@NullMarked
package dev.sheaf.model.wire.org;

import org.jspecify.annotations.NullMarked;
