import { hiddenRestriction } from '../../apis/management/config/restrictionRules.ts'
import type { Clock } from '../../meta/clock.ts'
import { isObject } from '../../meta/json/isObject.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import { ProviderAddresses } from './connectors/providerAddresses.ts'
import { ClusterManager } from './connectors/clusterManager.ts'
import type { ClientSettings, Connector, ConnectorOptions } from './connectors/connector.ts'
import { GitHostA, type GitHostASettings } from './connectors/gitHostA.ts'
import { GitHostB, type GitHostBSettings } from './connectors/gitHostB.ts'
import { identityA } from './connectors/identityA.ts'
import { IdentityB } from './connectors/identityB.ts'
import { OidcConnector } from './connectors/oidcConnector.ts'
import type { OidcSettings } from './connectors/oidcSettings.ts'
import { providerFetch } from './connectors/providerFetch.ts'
import { SamlConnector } from './connectors/samlConnector.ts'

export interface ConnectorsOptions {
  names: NamesProfile
  clock: Clock
  environment: Readonly<Record<string, string | undefined>>
  auth: Readonly<Record<string, unknown>>
  publicUrl: string
}

/** The login methods of a configuration. */
export interface Connectors {
  /** Connectors by id, the built-in ones first. */
  all: ReadonlyMap<string, Connector>
  /** Errors of configured connectors that cannot be used. */
  errors: readonly unknown[]
  clusterManager: ClusterManager | undefined
  /** The connector that accepts tokens of its provider. */
  oidc: OidcConnector | undefined
}

type Fields = Readonly<Record<string, unknown>>
type Maker = (options: ConnectorOptions & { clock: Clock }, settings: Fields) => Connector

/**
 * Creates the connectors of a configuration. The id of a built-in one is its key in the configuration; an additional
 * connector with the same id replaces it.
 */
export function connectorsOf(options: ConnectorsOptions): Connectors {
  const { names, auth } = options
  const makers = makersOf(options)
  const all = new Map<string, Connector>()
  const errors: unknown[] = []
  const add = (entry: { id: string; displayName: string }, providers: Fields) => {
    const [found] = Object.entries(makers).flatMap(([key, make]) => {
      const settings = providers[key]
      return isObject(settings) ? [{ make, settings }] : []
    })
    if (found === undefined) return
    try {
      if (hiddenRestriction(providers, names) !== undefined) {
        throw new Error(
          `the restrictions of ${entry.id} cannot be checked: it has several providers`,
        )
      }
      all.set(entry.id, found.make(optionsOf(entry, found.settings, options), found.settings))
    } catch (error) {
      all.delete(entry.id)
      errors.push(error)
    }
  }
  for (const key of Object.keys(makers)) {
    add({ id: key, displayName: typeOf(auth[key]) ?? key }, { [key]: auth[key] })
  }
  for (const entry of listOf(auth['connectors'])) {
    // Sound by the schema, and a rule requires an id.
    const { id, displayName } = entry as { id: string; displayName?: string }
    add({ id, displayName: displayName ?? typeOf(entry['oidc']) ?? id }, entry)
  }
  const oidc = all.get('oidc')
  const manager = auth[names.clusterManager]
  return {
    all,
    errors,
    clusterManager: isObject(manager)
      ? new ClusterManager(names.clusterManager, manager)
      : undefined,
    oidc: oidc instanceof OidcConnector ? oidc : undefined,
  }
}

/** Factories of connectors; the schema of the configuration guarantees the types of their settings. */
function makersOf({ names, environment }: ConnectorsOptions): Record<string, Maker> {
  const addresses = new ProviderAddresses(names, environment)
  return {
    oidc: (options, settings) =>
      new OidcConnector({ ...options, settings: oidcSettings(settings, names) }),
    [names.gitHostA]: (options, settings: GitHostASettings) =>
      new GitHostA(options, settings, addresses.gitHostA(settings.hostName)),
    [names.gitHostB]: (options, settings: GitHostBSettings) =>
      new GitHostB(options, settings, addresses.gitHostB(settings.baseURL)),
    [names.identityA]: (options, settings) => identityA(options, settings, addresses.identityA()),
    [names.identityB]: (options, settings) =>
      new IdentityB(options, settings, addresses.identityB()),
    saml: (options, settings) => new SamlConnector(options, settings),
  }
}

function oidcSettings(settings: Fields, { platform }: NamesProfile): OidcSettings {
  const claim = settings[`${platform}UsernameClaim`]
  return typeof claim === 'string' ? { ...settings, platformUsernameClaim: claim } : settings
}

function optionsOf(
  { id, displayName }: { id: string; displayName: string },
  settings: ClientSettings & { caFile?: string; rootCA?: string; insecureCa?: boolean },
  { publicUrl, clock }: ConnectorsOptions,
): ConnectorOptions & { clock: Clock } {
  const { redirectURI = '', caFile, rootCA, insecureCa } = settings
  return {
    id,
    displayName,
    redirectUri: redirectURI === '' ? `${publicUrl}/auth/${id}/callback` : redirectURI,
    fetch: providerFetch({ caFile: caFile ?? rootCA, insecure: insecureCa }),
    clock,
  }
}

/** The display name of a provider by its type. */
function typeOf(settings: unknown): string | undefined {
  const type = isObject(settings) ? settings['type'] : undefined
  return typeof type === 'string' && type !== '' ? type : undefined
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
