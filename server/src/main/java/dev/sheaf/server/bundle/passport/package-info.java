/// The passports of versions.
@NullMarked
package dev.sheaf.server.bundle.passport;

import org.jspecify.annotations.NullMarked;
