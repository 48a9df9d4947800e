import { IdentityProvider } from './identityProvider/identityProvider.ts'
import type { ProviderServices } from './identityProvider/providerServices.ts'
import { Logins } from './logins/logins.ts'
import type { LoginExchange } from './logins/pages/loginExchange.ts'
import { isIdentityProviderPath } from './logins/pages/loginPaths.ts'
import type { LoginServices } from './logins/loginServices.ts'
import { SessionLimit } from './logins/limits/sessionLimit.ts'
import { TrustedProxies } from './logins/trustedProxies.ts'
import type { Random } from '../meta/clock.ts'
import type { PlatformConfig } from '../platformConfig/platformConfig.ts'
import type { PlatformServices } from './platformServices.ts'

export interface LoginsOptions {
  platform: PlatformServices
  config: PlatformConfig
  random: Random
  /** Environment variables with the addresses of public providers. */
  environment: Readonly<Record<string, string | undefined>>
  /** Trusted proxies: IP addresses and networks. */
  trustedProxies: readonly string[]
  /** True if the web console is served, so that logins may continue there. */
  hasConsole: boolean
  /** Reports whether pages of this origin are allowed; undefined: no origins are configured. */
  allowsOrigin: ((origin: string) => boolean) | undefined
  /** Reports whether a user of this name, existing or not, has any rights. */
  isNamed: (user: string) => Promise<boolean>
  report: (error: unknown) => void
}

/** Serves requests to the login paths. */
export interface OpenedLogins {
  /** Sets the headers of every response, including responses of filters. */
  begin(exchange: Pick<LoginExchange, 'response'>): void
  serve(exchange: LoginExchange): Promise<void>
  stop(): void
}

/**
 * Opens the login paths. Users and teams are watched only after the first request, so that the
 * server's start does not wait for them.
 */
export function openLogins(options: LoginsOptions): OpenedLogins {
  const services = servicesOf(options)
  const logins = new Logins(services)
  const provider = new IdentityProvider(providerServices(options, services))
  return {
    begin: (exchange) => logins.begin(exchange),
    serve: (exchange) =>
      isIdentityProviderPath(exchange.path) ? provider.serve(exchange) : logins.serve(exchange),
    stop: () => {
      provider.stop()
      logins.stop()
    },
  }
}

function providerServices({ platform }: LoginsOptions, services: LoginServices): ProviderServices {
  return {
    ...services,
    // An issuer has one name, whatever address a client uses.
    publicUrl: () => services.publicUrl(undefined),
    addressOf: (request) => services.originOf(request).address,
    identityOf: (user) => platform.identityOf(user),
    signingKeys: platform.identityKeys,
    cookieSecret: () => platform.derivedAccessKey('cookies of the OpenID provider'),
  }
}

function servicesOf(options: LoginsOptions): LoginServices {
  const { platform, config, trustedProxies, ...rest } = options
  const { names, clock, access, passwords } = platform
  const proxies = new TrustedProxies(trustedProxies)
  return {
    ...{ names, clock, access, passwords, shared: platform.logins, ...rest },
    sealingSecret: () => platform.derivedAccessKey('seal of pending logins'),
    sessions: new SessionLimit(access, names),
    settings: () => config.current(),
    // The platform's configured address takes precedence over a proxy's.
    publicUrl: (base: string | undefined) => {
      const host = platform.host()
      return host === undefined ? (base ?? platform.url()) : `https://${host}`
    },
    originOf: (request: Parameters<TrustedProxies['originOf']>[0]) => proxies.originOf(request),
    authenticate: (key: string) => platform.authenticate(key),
  }
}
