using System;
using System.Net;
using System.Threading.Tasks;

namespace Example
{
    public static class SettingsTest
    {
        private static int failures;

        public static int Main()
        {
            using (var server = new ApiServer()) Run(new Settings(server.Client, "default")).Wait();
            return failures == 0 ? 0 : 1;
        }

        private static async Task Run(Settings settings)
        {
            Check("has no value at first", null, await settings.Get("color"));
            Check("accepts a value", HttpStatusCode.Created, await settings.Create("color", "blue"));
            Check("keeps it", "blue", await settings.Get("color"));
            Check("is refused the second time, as by a cluster", HttpStatusCode.Conflict, await settings.Create("color", "red"));
        }

        private static void Check(string what, object expected, object found)
        {
            var isEqual = Equals(expected, found);
            Console.WriteLine((isEqual ? "ok      " : "FAILED  ") + what + (isEqual ? "" : ": " + found));
            if (!isEqual) failures++;
        }
    }
}
