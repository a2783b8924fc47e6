/// The skill passport: what a version of a bundle can touch, as its files tell.
@NullMarked
package dev.sheaf.model.passport;

import org.jspecify.annotations.NullMarked;
