/// Skills of bundles as programs for agents take them: one by one, each as an archive, found by an index.
@NullMarked
package dev.sheaf.server.skill;

import org.jspecify.annotations.NullMarked;
