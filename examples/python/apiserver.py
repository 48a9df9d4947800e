"""A server for the time of a test."""

import os
import shlex
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from kubernetes import config

COMMAND = os.environ.get("PLATFORM_APISERVER", "npx platform-apiserver")


@contextmanager
def api_server():
    """Start a server on a free port, and yield a client of its admin."""
    with tempfile.TemporaryDirectory() as folder:
        kubeconfig = Path(folder) / "kubeconfig"
        flags = ["--storage", "memory", "--secure-port", "0", "--kubeconfig-out", str(kubeconfig)]
        server = subprocess.Popen(
            [*shlex.split(COMMAND), "serve", *flags, "--log-level", "warn"],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            # The line "serving https://…" is written when the server accepts requests.
            if not server.stdout.readline().startswith("serving "):
                raise RuntimeError(f"the server ended with {server.wait()}")
            api_client = config.new_client_from_config(str(kubeconfig))
            yield api_client
            api_client.close()
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()
