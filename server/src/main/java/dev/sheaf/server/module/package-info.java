/// One module for each feature. It creates the feature's objects, and returns its routes, tasks, and work at
/// start and stop. [FeatureModules] contains all modules.
@NullMarked
package dev.sheaf.server.module;

import org.jspecify.annotations.NullMarked;
