import type { IncomingMessage, ServerResponse } from 'node:http'
import { Logins } from './logins/logins.ts'
import type { Random } from './meta/clock.ts'
import type { PlatformConfig } from './platformConfig/platformConfig.ts'
import type { PlatformServices } from './platformServices.ts'

export interface LoginsOptions {
  platform: PlatformServices
  config: PlatformConfig
  random: Random
  /** Where the addresses of public providers may stand. */
  environment: Readonly<Record<string, string | undefined>>
  report: (error: unknown) => void
}

/** What answers requests to the login paths. It begins to follow users and teams with the first of them: a start does not
 *  wait for it. */
export function openLogins(
  options: LoginsOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  let starting: Promise<Logins> | undefined
  return async (request, response) => {
    starting ??= start(options)
    try {
      const logins = await starting
      await logins.serve(request, response)
    } catch (error) {
      // The next request tries again.
      starting = undefined
      options.report(error)
      response.destroy()
    }
  }
}

async function start({
  platform,
  config,
  random,
  environment,
  report,
}: LoginsOptions): Promise<Logins> {
  const { names, clock, access, passwords } = platform
  const logins = new Logins({
    ...{ names, clock, access, passwords, random, environment, report },
    settings: () => config.current(),
    publicUrl: () => {
      const host = platform.host()
      return host === undefined ? platform.url() : `https://${host}`
    },
    authenticate: (key) => platform.authenticate(key),
  })
  await logins.start()
  return logins
}
