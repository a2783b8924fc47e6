/// Agent skills: which folders of a bundle are skills, the content of their SKILL.md, and checks of both.
@NullMarked
package dev.sheaf.model.skill;

import org.jspecify.annotations.NullMarked;
