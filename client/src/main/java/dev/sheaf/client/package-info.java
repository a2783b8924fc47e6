/// The SDK of Sheaf. [SheafClient] is the way in: resolve, pull, push, fetch, verify, tags, yanks, keys.
///
/// - Calls block and are made for virtual threads. To interrupt the thread, or [Running#cancel], ends one.
/// - Everything that can fail throws a [SheafException][dev.sheaf.client.api.SheafException], which is sealed: one kind
/// for each thing that a caller may
///   want to do about it.
/// - Keys and sessions are looked up by [Credentials][dev.sheaf.client.credentials.Credentials], and go to the registry
/// that they were kept for and nowhere else.
/// - What comes is compared with its digests before any of it is seen, and kept in a cache that processes share.
/// - Proxies and certificate authorities are those of the environment, or of
/// [NetworkSettings][dev.sheaf.client.network.NetworkSettings].
///
/// ```java
/// var url = RegistryUrl.parse(address);
/// var bearer = Credentials.ofThisUser(url).bearer().orElse(null);
/// try (var registry = SheafClient.of(url).bearer(bearer).cache(cache).open()) {
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
