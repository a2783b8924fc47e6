/// Archives of skills. Their bytes depend only on the files: not on the time, a version or a library.
@NullMarked
package dev.sheaf.server.skill.archive;

import org.jspecify.annotations.NullMarked;
