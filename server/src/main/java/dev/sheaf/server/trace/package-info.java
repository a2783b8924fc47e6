/// Traces of requests, sent to an OpenTelemetry collector. While tracing is off, no class of OpenTelemetry is loaded.
@NullMarked
package dev.sheaf.server.trace;

import org.jspecify.annotations.NullMarked;
