/// The audit log: who changed what, or was refused, when and from where; chained by hashes, so that what was
/// altered or taken out shows.
@NullMarked
package dev.sheaf.server.audit;

import org.jspecify.annotations.NullMarked;
