/// The SDK of Sheaf. Start with [SheafClient]: resolve, pull, push, fetch, verify, tags, yanks, keys.
///
/// - Calls block and suit virtual threads. Interrupting the thread, or [RunningWork#cancel], ends a call.
/// - Every failure is a [SheafException][dev.sheaf.client.api.SheafException], which is sealed: it has a
///   subclass for each case in which a caller may react differently.
/// - [Credentials][dev.sheaf.client.credentials.Credentials] finds stored keys and sessions. They are only sent to
///   the registry for which they were stored.
/// - Received content is compared with its digests before it is used, and stored in a cache that processes share.
/// - Proxies and certificate authorities come from the environment, or from
///   [NetworkSettings][dev.sheaf.client.network.NetworkSettings].
///
/// ```java
/// var url = RegistryUrl.parse(address);
/// try (var registry = SheafClient.of(url)
///         .credentials(Credentials.ofThisUser(url))
///         .cache(cache)
///         .open()) {
///     var pulled = registry.pull(Reference.parse("acme/java-kit:1.0.0"), folder);
///     System.out.println(pulled.manifestDigest() + ", " + pulled.sizeBytes() + " bytes");
/// } catch (SheafException.NotFound e) {
///     System.out.println("no such bundle, or not for this key: " + e.getMessage());
/// } catch (SheafException.RateLimited e) {
///     System.out.println("again in " + e.waitTime().toSeconds() + " s");
/// }
/// ```
@NullMarked
package dev.sheaf.client;

import org.jspecify.annotations.NullMarked;
