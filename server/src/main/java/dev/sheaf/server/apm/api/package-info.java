/// The registry API of APM.
@NullMarked
package dev.sheaf.server.apm.api;

import org.jspecify.annotations.NullMarked;
