using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Text.RegularExpressions;

namespace Example
{
    /// <summary>A server for the time of a test, on a free port.</summary>
    public sealed class ApiServer : IDisposable
    {
        public readonly HttpClient Client;
        private readonly Process process;
        private readonly string folder = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());

        public ApiServer()
        {
            Directory.CreateDirectory(folder);
            var kubeconfig = Path.Combine(folder, "kubeconfig");
            var port = FreePort();
            process = Start("serve --storage memory --secure-port 0 --insecure-port " + port
                + " --log-level warn --kubeconfig-out " + kubeconfig);
            // The line "serving https://…" is written when the server accepts requests.
            var line = process.StandardOutput.ReadLine();
            if (line == null || !line.StartsWith("serving ")) throw new IOException("the server did not start: " + line);
            Client = ClientOf(File.ReadAllText(kubeconfig), port);
        }

        public void Dispose()
        {
            Client.Dispose();
            if (!process.HasExited) process.Kill();
            process.WaitForExit();
            Directory.Delete(folder, true);
        }

        private static Process Start(string arguments)
        {
            var command = Environment.GetEnvironmentVariable("PLATFORM_APISERVER") ?? "npx platform-apiserver";
            var words = command.Split(new[] { ' ' }, 2);
            return Process.Start(new ProcessStartInfo
            {
                FileName = words[0],
                Arguments = string.Join(" ", words.Skip(1).Concat(new[] { arguments })),
                RedirectStandardOutput = true,
                UseShellExecute = false,
            });
        }

        /// <summary>A client with the token of a kubeconfig. Plain HTTP is on 127.0.0.1 alone.</summary>
        private static HttpClient ClientOf(string kubeconfig, int port)
        {
            var client = new HttpClient { BaseAddress = new Uri("http://127.0.0.1:" + port + "/") };
            var token = Regex.Match(kubeconfig, "token: \"?([^\"\\s]+)").Groups[1].Value;
            client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", token);
            return client;
        }

        private static int FreePort()
        {
            var listener = new TcpListener(IPAddress.Loopback, 0);
            listener.Start();
            var port = ((IPEndPoint)listener.LocalEndpoint).Port;
            listener.Stop();
            return port;
        }
    }
}
