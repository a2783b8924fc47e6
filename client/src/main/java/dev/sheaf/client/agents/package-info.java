/// Arguments and results of installations for agent programs: the known programs and their folders, the wanted
/// bundles, and the installed bundles.
@NullMarked
package dev.sheaf.client.agents;

import org.jspecify.annotations.NullMarked;
