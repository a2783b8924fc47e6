package dev.sheaf.server.http.server;

import dev.sheaf.server.cpu.Carriers;
import io.helidon.common.socket.SocketOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// The options of connections, and the one place where the HTTP server shows each connection that it accepts,
/// before anything is read from it.
///
/// @param to the options themselves
record ConnectionOptions(SocketOptions to, Connections connections) implements SocketOptions {
    @Override
    public void configureSocket(SocketChannel channel) {
        to.configureSocket(channel);
        Carriers.crossing();
        try {
            connections.accepted(channel);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void configureSocket(Socket socket) {
        to.configureSocket(socket);
    }

    @Override
    public Map<SocketOption<?>, Object> socketOptions() {
        return to.socketOptions();
    }

    @Override
    public Duration connectTimeout() {
        return to.connectTimeout();
    }

    @Override
    public Duration readTimeout() {
        return to.readTimeout();
    }

    @Override
    public Optional<Integer> socketReceiveBufferSize() {
        return to.socketReceiveBufferSize();
    }

    @Override
    public Optional<Integer> socketSendBufferSize() {
        return to.socketSendBufferSize();
    }

    @Override
    public boolean socketReuseAddress() {
        return to.socketReuseAddress();
    }

    @Override
    public boolean socketKeepAlive() {
        return to.socketKeepAlive();
    }

    @Override
    public boolean tcpNoDelay() {
        return to.tcpNoDelay();
    }
}
