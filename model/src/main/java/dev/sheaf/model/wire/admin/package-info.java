/// JSON for administrators of an installation.
@NullMarked
package dev.sheaf.model.wire.admin;

import org.jspecify.annotations.NullMarked;
