import { isObject } from '../../apiserver/meta/isObject.ts'
import { mappingProblems, type NamespacesByName } from '../names/namespaceMapping.ts'
import { readBoolean, readMap, readTexts, refuseUnknown, type Problems } from './fieldShape.ts'
import type { PatchRule } from './patchRule.ts'
import { readPatches } from './readPatches.ts'

/** Whether objects of a kind are synced, and what is changed on the way. */
export interface SyncedKindConfig {
  enabled: boolean
  patches: readonly PatchRule[]
}

/** `sync.toHost.namespaces`: keeps names and maps namespaces. */
export interface NamespacesConfig extends SyncedKindConfig {
  mappings: { byName: NamespacesByName }
  /** Namespaces without a mapping are not synced at all. */
  mappingsOnly: boolean
  /** Labels for every namespace made on the host. */
  extraLabels: Readonly<Record<string, string>>
}

/** What of a virtual cluster's configuration concerns syncing to its host. */
export interface SyncConfig {
  endpoints: SyncedKindConfig
  services: SyncedKindConfig
  namespaces: NamespacesConfig
  /** The whole configuration with the defaults filled in: `context.vcluster.config`. */
  document: Readonly<Record<string, unknown>>
}

/** A configuration that cannot be used: a sentence for each thing wrong with it. */
export class SyncConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'SyncConfigError'
    this.problems = problems
  }
}

/** What a configuration says that says nothing. Secrets and config maps are synced where something refers to them.
 *  Source: platform facts 6.1. */
const defaults = {
  sync: {
    toHost: {
      services: { enabled: true, patches: [] },
      endpoints: { enabled: true, patches: [] },
      secrets: { enabled: true },
      configMaps: { enabled: true },
      namespaces: {
        enabled: false,
        patches: [],
        mappings: { byName: {} },
        mappingsOnly: false,
        extraLabels: {},
      },
    },
  },
}

const switchFields = ['enabled', 'patches']
const root = 'sync.toHost'

/** The decoded configuration of a virtual cluster, checked. Sections about other things are kept and not looked at.
 *  @throws SyncConfigError. Source: specification, "Virtual-cluster sync option"; platform facts 6.1, 6.2. */
export function readSyncConfig(given: unknown): SyncConfig {
  const problems: Problems = []
  const document = withDefaults(defaults, readMap(given, 'the configuration', problems))
  const sync = readMap(document.sync, 'sync', problems)
  const toHost = readMap(sync.toHost, root, problems)
  const config = {
    endpoints: readSwitch(toHost.endpoints, `${root}.endpoints`, problems),
    services: readSwitch(toHost.services, `${root}.services`, problems),
    namespaces: readNamespaces(toHost.namespaces, `${root}.namespaces`, problems),
    document,
  }
  if (problems.length > 0) throw new SyncConfigError(problems)
  return config
}

/** Whether objects of this kind may be copied to the host because something refers to them, as
 *  `sync.toHost.<plural in camel case>.enabled` says; false where it says nothing. */
export function isReferenceSynced({ document }: SyncConfig, kind: string): boolean {
  const plural = `${kind.charAt(0).toLowerCase()}${kind.slice(1)}s`
  const { sync } = document
  const toHost = isObject(sync) && isObject(sync.toHost) ? sync.toHost : {}
  const section = toHost[plural]
  return isObject(section) && section.enabled === true
}

function readSwitch(value: unknown, path: string, problems: Problems): SyncedKindConfig {
  const map = readMap(value, path, problems)
  refuseUnknown(map, switchFields, { path, problems })
  return readSwitchFields(map, path, problems)
}

function readSwitchFields(
  map: Record<string, unknown>,
  path: string,
  problems: Problems,
): SyncedKindConfig {
  return {
    enabled: readBoolean(map.enabled, `${path}.enabled`, problems) ?? true,
    patches: readPatches(map.patches, `${path}.patches`, problems),
  }
}

function readNamespaces(value: unknown, path: string, problems: Problems): NamespacesConfig {
  const map = readMap(value, path, problems)
  const known = [...switchFields, 'mappings', 'mappingsOnly', 'extraLabels']
  refuseUnknown(map, known, { path, problems })
  const mappings = readMap(map.mappings, `${path}.mappings`, problems)
  refuseUnknown(mappings, ['byName'], { path: `${path}.mappings`, problems })
  const byName = readTexts(mappings.byName, `${path}.mappings.byName`, problems)
  problems.push(...mappingProblems(`${path}.mappings.byName`, byName))
  return {
    ...readSwitchFields(map, path, problems),
    mappings: { byName },
    mappingsOnly: readBoolean(map.mappingsOnly, `${path}.mappingsOnly`, problems) ?? false,
    extraLabels: readTexts(map.extraLabels, `${path}.extraLabels`, problems),
  }
}

/** Maps are merged, everything else is what was given; null is as good as absent. */
function withDefaults(
  base: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(given)) {
    if ((value === null || value === undefined) && key in base) continue
    const below = base[key]
    merged[key] = isObject(value) && isObject(below) ? withDefaults(below, value) : value
  }
  return merged
}
