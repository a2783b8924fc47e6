/// From files to a published version.
@NullMarked
package dev.sheaf.client.push;

import org.jspecify.annotations.NullMarked;
