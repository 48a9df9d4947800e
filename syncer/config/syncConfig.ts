import { isObject } from '../../apiserver/meta/json/isObject.ts'
import { mappingProblems, type NamespacesByName } from '../names/namespaceMapping.ts'
import { contextDefaults, toHostSections } from './contextDefaults.ts'
import { readBoolean, readMap, readStrings, refuseUnknown, type Problems } from './fieldShape.ts'
import type { PatchRule } from './patchRule.ts'
import { readPatches } from './readPatches.ts'

/** Sync configuration of a kind: enabled or not, and patches. */
export interface SyncedKindConfig {
  enabled: boolean
  patches: readonly PatchRule[]
}

/** `sync.toHost.namespaces`: keeps object names and maps namespaces. */
export interface NamespacesConfig extends SyncedKindConfig {
  mappings: { byName: NamespacesByName }
  /** True if namespaces without a mapping are not synced at all. */
  mappingsOnly: boolean
  /** Labels for every namespace created on the host. */
  extraLabels: Readonly<Record<string, string>>
}

/** The part of a virtual cluster's configuration for syncing to its host. */
export interface SyncConfig {
  endpoints: SyncedKindConfig
  services: SyncedKindConfig
  namespaces: NamespacesConfig
  /** The whole configuration with defaults filled in: `context.vcluster.config`. */
  document: Readonly<Record<string, unknown>>
  /** The sections of `sync.toHost`, with defaults only for kinds that are synced here. */
  toHost: Readonly<Record<string, unknown>>
  /** Likely but harmless mistakes, one sentence each. */
  warnings: readonly string[]
}

/** An invalid configuration: one sentence for each error. */
export class SyncConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'SyncConfigError'
    this.problems = problems
  }
}

/**
 * Defaults of a configuration. Secrets and config maps are synced if they are referenced.
 * Source: platform facts 6.1.
 */
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

/**
 * Validates the decoded configuration of a virtual cluster. Unrelated sections are kept without
 * validation.
 * @throws SyncConfigError. Source: specification, "Virtual-cluster sync option"; platform facts
 * 6.1, 6.2.
 */
export function readSyncConfig(given: unknown): SyncConfig {
  const problems: Problems = []
  const map = readMap(given, 'the configuration', problems)
  const sync = readMap(withDefaults(defaults, map).sync, 'sync', problems)
  const toHost = readMap(sync.toHost, root, problems)
  const config = {
    endpoints: readSwitch(toHost.endpoints, `${root}.endpoints`, problems),
    services: readSwitch(toHost.services, `${root}.services`, problems),
    namespaces: readNamespaces(toHost.namespaces, `${root}.namespaces`, problems),
    document: withDefaults(withDefaults(contextDefaults, defaults), map),
    toHost,
    warnings: [],
  }
  if (problems.length > 0) throw new SyncConfigError(problems)
  return { ...config, warnings: unknownSections(config) }
}

/** Warnings about unknown sections. A section may be of a custom kind that a patch refers to. */
function unknownSections({ toHost, ...config }: SyncConfig): string[] {
  const patches = [config.endpoints, config.services, config.namespaces].flatMap(
    (section) => section.patches,
  )
  const referred = patches.flatMap(({ reference }) =>
    reference ? [sectionOf(reference.kind)] : [],
  )
  const isByPath = patches.some(({ reference }) => reference?.kindPath !== undefined)
  return Object.keys(toHost)
    .filter((key) => !toHostSections.includes(key) && !referred.includes(key) && !isByPath)
    .map((key) => `${root} has the unknown key ${key}, which changes nothing`)
}

/**
 * Reports whether referenced objects of this kind may be copied to the host, according to `sync.toHost.<plural in camel
 * case>.enabled`; false if unset.
 */
export function isReferenceSynced({ toHost }: SyncConfig, kind: string): boolean {
  const section = toHost[sectionOf(kind)]
  return isObject(section) && section.enabled === true
}

function sectionOf(kind: string): string {
  return `${kind.charAt(0).toLowerCase()}${kind.slice(1)}s`
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
  const byName = readStrings(mappings.byName, `${path}.mappings.byName`, problems)
  problems.push(...mappingProblems(`${path}.mappings.byName`, byName))
  return {
    ...readSwitchFields(map, path, problems),
    mappings: { byName },
    mappingsOnly: readBoolean(map.mappingsOnly, `${path}.mappingsOnly`, problems) ?? false,
    extraLabels: readStrings(map.extraLabels, `${path}.extraLabels`, problems),
  }
}

/** Fills in defaults: maps are merged, other values replace the default; null counts as absent. */
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
