/// All of an installation at once: is it sound, a copy of it, and an installation made of a copy.
@NullMarked
package dev.sheaf.server.integrity;

import org.jspecify.annotations.NullMarked;
