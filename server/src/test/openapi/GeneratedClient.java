import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.BundlesApi;
import org.openapitools.client.model.PushRequest;
import org.openapitools.client.model.PushedAsset;

/** A client made by openapi-generator: push, resolve, pull, and an error. */
public class GeneratedClient {
    public static void main(String[] arguments) throws ApiException {
        var client = new ApiClient();
        client.updateBaseUri(arguments[0]);
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + arguments[1]));
        var bundles = new BundlesApi(client);
        var asset = new PushedAsset().logicalPath("SKILL.md").contentText("# Hello\n");
        var push = new PushRequest().version("1.0.0").name("Java").manifest(List.of(asset));
        var pushed = bundles.pushBundle("generated", "java", push);
        var resolved = bundles.resolveBundle("generated", "java", "^1.0.0", null, null, null, null, null, null);
        var pulled = bundles.pullVersion("generated", "java", resolved.getVersion(), null, null);
        String code = "";
        int status = 0;
        try {
            bundles.getBundle("generated", "missing", null);
        } catch (ApiException e) {
            status = e.getCode();
            code = e.getResponseBody();
        }
        System.out.println(pushed.getVersion() + "|" + resolved.getResolvedBy() + "|"
                + pulled.getManifest().getFirst().getContentText() + "|" + status + "|" + code);
    }
}
