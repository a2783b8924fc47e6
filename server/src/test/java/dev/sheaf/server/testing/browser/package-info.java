/// Chromium in the hands of a person.
@NullMarked
package dev.sheaf.server.testing.browser;

import org.jspecify.annotations.NullMarked;
