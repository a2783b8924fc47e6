/// The audit log: who changed what or was refused, when and from where. Entries are chained by hashes, so that
/// tampering is detected.
@NullMarked
package dev.sheaf.server.audit;

import org.jspecify.annotations.NullMarked;
