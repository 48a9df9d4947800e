"""The code under test: reads and changes a setting that is kept in a config map."""

from kubernetes import client


class Settings:
    def __init__(self, api_client: client.ApiClient, namespace: str) -> None:
        self._api = client.CoreV1Api(api_client)
        self._namespace = namespace

    def get(self, name: str) -> str | None:
        """Return the value of a setting, or None if it is not set."""
        found = self._api.list_namespaced_config_map(
            self._namespace, field_selector="metadata.name=settings"
        )
        return found.items[0].data.get(name) if found.items else None

    def create(self, name: str, value: str) -> None:
        """Set the first setting."""
        body = client.V1ConfigMap(
            metadata=client.V1ObjectMeta(name="settings"), data={name: value}
        )
        self._api.create_namespaced_config_map(self._namespace, body)
