/// Agent skills: which folders of a bundle are some, what their SKILL.md says, and what may be wrong with them.
@NullMarked
package dev.sheaf.model.skill;

import org.jspecify.annotations.NullMarked;
