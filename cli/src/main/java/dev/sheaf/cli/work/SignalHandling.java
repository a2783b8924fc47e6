package dev.sheaf.cli.work;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Handles signals that would end the process. Java offers that only in an unsupported class, which the
/// compiler warns about. So this class finds it by its name; if it is missing, signals end the process as
/// usual.
final class SignalHandling implements AutoCloseable {
    private static final String[] ENDS = {"TERM", "INT"};

    private final Map<Object, Object> before = new HashMap<>();
    private final @Nullable Class<?> signals;
    private final @Nullable Class<?> handlers;

    private SignalHandling(Runnable asked) {
        Class<?> found = null;
        Class<?> called = null;
        try {
            found = Class.forName("sun.misc.Signal");
            called = Class.forName("sun.misc.SignalHandler");
            InvocationHandler call = (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                    asked.run();
                    return null;
                }
                return switch (method.getName()) {
                    case "equals" -> arguments != null && proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> "sheaf";
                };
            };
            Object own = Proxy.newProxyInstance(called.getClassLoader(), new Class<?>[] {called}, call);
            for (String name : ENDS) {
                Object signal = found.getConstructor(String.class).newInstance(name);
                before.put(signal, found.getMethod("handle", found, called).invoke(null, signal, own));
            }
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // signals end the process as usual
        }
        this.signals = found;
        this.handlers = called;
    }

    /// Handles signals until this is closed.
    ///
    /// @param asked called for each signal, on a new thread
    static SignalHandling handling(Runnable asked) {
        return new SignalHandling(asked);
    }

    @Override
    public void close() {
        before.forEach((signal, handler) -> {
            try {
                if (signals != null && handlers != null) {
                    signals.getMethod("handle", signals, handlers).invoke(null, signal, handler);
                }
            } catch (ReflectiveOperationException e) {
                // it stays as it is
            }
        });
    }
}
