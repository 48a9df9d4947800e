package dev.example;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server for the time of a test, on a free port. */
final class ApiServer implements AutoCloseable {
  private static final String COMMAND =
      System.getenv().getOrDefault("PLATFORM_APISERVER", "npx platform-apiserver");

  final KubernetesClient client;
  private final Process process;
  private final Path kubeconfig;

  ApiServer() throws IOException {
    kubeconfig = Files.createTempDirectory("apiserver").resolve("kubeconfig");
    var command = new ArrayList<>(List.of(COMMAND.split(" ")));
    command.addAll(List.of("serve", "--storage", "memory", "--secure-port", "0"));
    command.addAll(List.of("--kubeconfig-out", kubeconfig.toString(), "--log-level", "warn"));
    process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    // The line "serving https://…" is written when the server accepts requests.
    var line = new BufferedReader(new InputStreamReader(process.getInputStream())).readLine();
    if (line == null || !line.startsWith("serving ")) {
      process.destroy();
      throw new IOException("the server did not start: " + line);
    }
    var config = Config.fromKubeconfig(Files.readString(kubeconfig));
    client = new KubernetesClientBuilder().withConfig(config).build();
  }

  @Override
  public void close() throws Exception {
    client.close();
    process.destroy();
    process.waitFor();
    Files.deleteIfExists(kubeconfig);
    Files.delete(kubeconfig.getParent());
  }
}
