@NullMarked
package dev.sheaf.model.skill;

import org.jspecify.annotations.NullMarked;
