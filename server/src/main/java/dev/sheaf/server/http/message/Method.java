package dev.sheaf.server.http.message;

/// The methods that routes are declared for. HEAD needs no route: it is answered as GET without its body.
public enum Method {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE
}
