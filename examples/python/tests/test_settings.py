import unittest

from kubernetes.client.exceptions import ApiException

from apiserver import api_server
from settings import Settings


class SettingsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.api_client = cls.enterClassContext(api_server())

    def setUp(self):
        self.settings = Settings(self.api_client, "default")

    def test_1_has_no_value_at_first(self):
        self.assertIsNone(self.settings.get("color"))

    def test_2_keeps_a_value(self):
        self.settings.create("color", "blue")
        self.assertEqual(self.settings.get("color"), "blue")

    def test_3_is_refused_the_second_time_as_by_a_cluster(self):
        with self.assertRaises(ApiException) as refused:
            self.settings.create("color", "red")
        self.assertEqual(refused.exception.status, 409)


if __name__ == "__main__":
    unittest.main()
