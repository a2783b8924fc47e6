/// The passport of a version.
@NullMarked
package dev.sheaf.model.passport;

import org.jspecify.annotations.NullMarked;
