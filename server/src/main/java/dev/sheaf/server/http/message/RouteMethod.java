package dev.sheaf.server.http.message;

/// The methods that routes can have. HEAD needs no route: it is answered like GET without the body.
public enum RouteMethod {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE
}
