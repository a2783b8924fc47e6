/// The skills of bundles in the form that agent programs expect: each as an archive, listed in an index.
@NullMarked
package dev.sheaf.server.skill;

import org.jspecify.annotations.NullMarked;
