package dev.example;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;

/** The code under test: reads and changes a setting that is kept in a config map. */
public final class Settings {
  private final KubernetesClient client;
  private final String namespace;

  public Settings(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  /** Value of a setting; empty if it is not set. */
  public Optional<String> get(String name) {
    var found = client.configMaps().inNamespace(namespace).withName("settings").get();
    return Optional.ofNullable(found).map(map -> map.getData().get(name));
  }

  /** Sets the first setting. */
  public void create(String name, String value) {
    var map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName("settings")
            .endMetadata()
            .addToData(name, value)
            .build();
    client.configMaps().inNamespace(namespace).resource(map).create();
  }
}
