package dev.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class SettingsTest {
  private static ApiServer server;
  private final Settings settings = new Settings(server.client, "default");

  @BeforeAll
  static void start() throws Exception {
    server = new ApiServer();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Test
  @Order(1)
  void hasNoValueAtFirst() {
    assertEquals(Optional.empty(), settings.get("color"));
  }

  @Test
  @Order(2)
  void keepsAValue() {
    settings.create("color", "blue");
    assertEquals(Optional.of("blue"), settings.get("color"));
  }

  @Test
  @Order(3)
  void isRefusedTheSecondTimeAsByACluster() {
    var refused =
        assertThrows(KubernetesClientException.class, () -> settings.create("color", "red"));
    assertEquals(409, refused.getCode());
  }
}
