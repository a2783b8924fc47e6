/// The vocabulary of the registry: names, versions, digests, references, errors. Values parse themselves and cannot
/// be malformed.
@NullMarked
package dev.sheaf.model;

import org.jspecify.annotations.NullMarked;
