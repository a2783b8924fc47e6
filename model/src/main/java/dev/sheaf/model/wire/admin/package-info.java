/// JSON for those who run an installation.
@NullMarked
package dev.sheaf.model.wire.admin;

import org.jspecify.annotations.NullMarked;
