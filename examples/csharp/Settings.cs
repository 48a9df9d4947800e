using System.Net;
using System.Net.Http;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

namespace Example
{
    /// <summary>The code under test: reads and changes a setting that is kept in a config map.</summary>
    public sealed class Settings
    {
        private readonly HttpClient client;
        private readonly string path;

        public Settings(HttpClient client, string ns)
        {
            this.client = client;
            path = "api/v1/namespaces/" + ns + "/configmaps";
        }

        /// <summary>Value of a setting; null if it is not set.</summary>
        public async Task<string> Get(string name)
        {
            var response = await client.GetAsync(path + "/settings");
            if (response.StatusCode == HttpStatusCode.NotFound) return null;
            response.EnsureSuccessStatusCode();
            // System.Text.Json, or a client library, is what a larger program would use.
            var body = await response.Content.ReadAsStringAsync();
            var found = Regex.Match(body, "\"" + Regex.Escape(name) + "\":\\s*\"([^\"]*)\"");
            return found.Success ? found.Groups[1].Value : null;
        }

        /// <summary>Sets the first setting. The status tells whether the server has accepted it.</summary>
        public async Task<HttpStatusCode> Create(string name, string value)
        {
            var map = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"settings\"},"
                + "\"data\":{\"" + name + "\":\"" + value + "\"}}";
            var response = await client.PostAsync(path, new StringContent(map, Encoding.UTF8, "application/json"));
            return response.StatusCode;
        }
    }
}
