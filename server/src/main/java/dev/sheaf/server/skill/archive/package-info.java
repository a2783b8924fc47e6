/// Archives of a skill's files, whose bytes depend on these alone: no clock, no version, no library.
@NullMarked
package dev.sheaf.server.skill.archive;

import org.jspecify.annotations.NullMarked;
