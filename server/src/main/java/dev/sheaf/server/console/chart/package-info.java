/// Drawings of numbers over time, as the server draws them.
@NullMarked
package dev.sheaf.server.console.chart;

import org.jspecify.annotations.NullMarked;
