/// The records that are sent as JSON (contract 3 and 5): camelCase members in this order; an absent member is
/// null.
@NullMarked
package dev.sheaf.model.wire;

import org.jspecify.annotations.NullMarked;
