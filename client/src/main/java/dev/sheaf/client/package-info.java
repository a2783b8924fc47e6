/// The SDK: resolve → download → verify → cache, push, API keys, and where credentials are kept. [SheafClient] is
/// the way in; everything that can fail throws a [SheafException].
@NullMarked
package dev.sheaf.client;

import org.jspecify.annotations.NullMarked;
