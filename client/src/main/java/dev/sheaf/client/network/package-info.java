/// The way out: proxies and certificate authorities.
@NullMarked
package dev.sheaf.client.network;

import org.jspecify.annotations.NullMarked;
