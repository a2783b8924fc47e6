package dev.sheaf.server.registry;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.model.Problem;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A blob store during whose work something happens.
public final class StoreHooks {
    private StoreHooks() {}

    /// Runs `hook` before every call of the method.
    public static BlobStore before(String method, BlobStore store, Runnable hook) {
        return before(method, store, (Object argument) -> hook.run());
    }

    /// Fails as a store that cannot work, where the method is called with this argument.
    public static BlobStore failing(String method, BlobStore store, @Nullable Object argument) {
        return before(method, store, (Object given) -> {
            if (given.equals(argument)) {
                throw new Problem.Unavailable("the blob store failed", 5).raise();
            }
        });
    }

    private static BlobStore before(String method, BlobStore store, Consumer<Object> hook) {
        return (BlobStore) Proxy.newProxyInstance(
                BlobStore.class.getClassLoader(), new Class<?>[] {BlobStore.class}, (proxy, called, arguments) -> {
                    if (called.getName().equals(method)) {
                        hook.accept(arguments[0]);
                    }
                    try {
                        return called.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }
}
