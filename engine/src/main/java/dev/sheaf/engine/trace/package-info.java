/// Traces of requests, sent to an OpenTelemetry collector. While tracing is off, no class of OpenTelemetry is loaded.
@NullMarked
package dev.sheaf.engine.trace;

import org.jspecify.annotations.NullMarked;
