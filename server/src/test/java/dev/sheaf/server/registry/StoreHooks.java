package dev.sheaf.server.registry;

import dev.sheaf.server.blob.BlobStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/// A blob store during whose work something happens.
final class StoreHooks {
    private StoreHooks() {}

    /// Runs `hook` before every call of the method.
    static BlobStore before(String method, BlobStore store, Runnable hook) {
        return (BlobStore) Proxy.newProxyInstance(
                BlobStore.class.getClassLoader(), new Class<?>[] {BlobStore.class}, (proxy, called, arguments) -> {
                    if (called.getName().equals(method)) {
                        hook.run();
                    }
                    try {
                        return called.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }
}
