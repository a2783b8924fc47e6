package dev.sheaf.client;

import dev.sheaf.client.http.Call;
import dev.sheaf.client.http.Pages;
import dev.sheaf.client.http.Transport;
import java.util.List;

/// What a registry has below one path, and how it is asked and changed. What is sent and what comes is JSON.
record Resource(Transport transport, String path) {
    Call call(String method, String rest) {
        return Call.of(method, transport.at(path + rest));
    }

    <T> T get(String rest, Class<T> type) {
        return transport.json(Call.get(transport.at(path + rest)), type);
    }

    <T> T post(String rest, Class<T> type) {
        return transport.json(call("POST", rest), type);
    }

    <T> T post(String rest, Object body, Class<T> type) {
        return transport.json(call("POST", rest).sendingJson(body), type);
    }

    <T> T patch(String rest, Object body, Class<T> type) {
        return transport.json(call("PATCH", rest).sendingJson(body), type);
    }

    /// Makes something, which is not tried twice: it may be there after a broken connection.
    <T> T create(String rest, Object body, Class<T> type) {
        return transport.json(
                call("POST", rest).sendingJson(body).expecting(201).once(), type);
    }

    /// The first `most` of a list, in the registry's order.
    <T> List<T> list(String rest, Class<T> type, int most) {
        return Pages.read(transport, path + rest, type, most);
    }

    <T> List<T> list(String rest, Class<T> type) {
        return list(rest, type, Integer.MAX_VALUE);
    }
}
