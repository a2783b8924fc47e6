/// The vocabulary of the registry: names, versions, digests, references, errors. Values check themselves when they
/// are created and cannot be malformed.
@NullMarked
package dev.sheaf.model;

import org.jspecify.annotations.NullMarked;
