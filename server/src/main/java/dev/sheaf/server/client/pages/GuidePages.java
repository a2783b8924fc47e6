package dev.sheaf.server.client.pages;

import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.ShellQuoting;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import java.util.List;

/// The guide that is part of the registry: three tasks with their commands, and the words of the other pages.
public final class GuidePages {
    private static final String PATH = "/guide";

    public List<Route> routes(PageRoutes pages) {
        return List.of(pages.open(PATH, GuidePages::show));
    }

    private static Answer show(PageCall page) {
        return page.view("Guide", "client/pages/guide")
                .with("base", ShellQuoting.quote(page.call().baseUrl()))
                .forEverybody()
                .show();
    }
}
