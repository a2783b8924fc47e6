/// Blob storage. Objects are written once under names of our own and never changed.
@NullMarked
package dev.sheaf.engine.blob;

import org.jspecify.annotations.NullMarked;
