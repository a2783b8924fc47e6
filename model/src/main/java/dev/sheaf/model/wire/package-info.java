/// The records that are sent as JSON (contract 3 and 5). Members have camelCase names and the order of the
/// record's components; an absent member is null.
@NullMarked
package dev.sheaf.model.wire;

import org.jspecify.annotations.NullMarked;
