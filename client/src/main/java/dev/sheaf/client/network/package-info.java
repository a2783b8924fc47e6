/// Proxies and certificate authorities.
@NullMarked
package dev.sheaf.client.network;

import org.jspecify.annotations.NullMarked;
