import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { decodeYaml } from '../../encoding/yaml.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { messageOf } from '../../meta/messageOf.ts'
import type { EventLimit } from '../../runtime/options/eventLimits.ts'
import { StartError } from '../../runtime/startError.ts'
import { systemReason } from '../../runtime/systemReason.ts'
import { eventLimitsOf } from './eventLimitsOf.ts'

/** Contents of the admission configuration file. */
export interface AdmissionConfiguration {
  eventLimits: readonly EventLimit[]
}

/** Plugins that only the real program can configure. */
const unsupported = [
  ...['ImagePolicyWebhook', 'MutatingAdmissionWebhook', 'PodNodeSelector', 'PodSecurity'],
  ...['PodTolerationRestriction', 'ResourceQuota', 'ValidatingAdmissionWebhook'],
]

/**
 * Reads the file of `--admission-control-config-file`; undefined: not given. `isEnabled`: reports whether a plugin is
 * enabled.
 * @throws StartError, in the wording of the real program.
 */
export async function readAdmissionConfiguration(
  path: string | undefined,
  isEnabled: (plugin: string) => boolean,
): Promise<AdmissionConfiguration> {
  const plugins = path === undefined ? new Map<string, unknown>() : await readPlugins(path)
  const other = unsupported.find((name) => plugins.has(name))
  if (other !== undefined) {
    throw new StartError(
      `${path}: a configuration of the admission plugin ${other} is not supported`,
    )
  }
  const name = 'EventRateLimit'
  if (!isEnabled(name)) return { eventLimits: [] }
  return { eventLimits: inPlugin(name, () => eventLimitsOf(plugins.get(name))) }
}

function inPlugin<Made>(name: string, make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    const why = messageOf(error)
    throw new StartError(
      `failed to apply admission: couldn't init admission plugin ${goQuote(name)}: ${why}`,
      error,
    )
  }
}

/** Configurations by plugin name; the first of several for a plugin is used. */
async function readPlugins(path: string): Promise<Map<string, unknown>> {
  const document = await readDocument(
    path,
    (why) =>
      `${reading}: unable to read admission control configuration from ${goQuote(path)} [${why}]`,
  )
  const found = new Map<string, unknown>()
  for (const plugin of pluginsOf(document, path)) {
    const { name = '', path: file = '', configuration } = plugin
    if (found.has(name)) continue
    const isInline = configuration !== undefined && configuration !== null
    const place = resolve(dirname(path), file)
    found.set(
      name,
      isInline || file === ''
        ? configuration
        : await readDocument(
            place,
            (why) => `Couldn't open admission plugin configuration ${place}: ${why}`,
          ),
    )
  }
  return found
}

interface PluginEntry {
  name?: string
  path?: string
  configuration?: unknown
}

const reading = 'failed to apply admission: failed to read plugin config'
const versions = ['apiserver.config.k8s.io/v1', 'apiserver.k8s.io/v1alpha1']

/** Plugins of a document. @throws StartError for another kind, unknown fields, or fields of other types. */
function pluginsOf(document: unknown, path: string): PluginEntry[] {
  const { plugins, ...rest } = configurationOf(document, path)
  const given: unknown = plugins ?? []
  if (!Array.isArray(given)) {
    throw refused(
      `json: cannot unmarshal ${typeof given} into Go struct field AdmissionConfiguration.plugins of type []v1.AdmissionPluginConfiguration`,
    )
  }
  const unknown = [
    ...Object.keys(rest),
    ...given.flatMap((entry, index) => unknownFields(entry, `plugins[${index}]`)),
  ].map((field) => `unknown field "${field}"`)
  if (unknown.length > 0) throw refused(`strict decoding error: ${unknown.join(', ')}`)
  if (!given.every(isEntry)) {
    throw refused('plugins: must be objects with a name, and a path or a configuration')
  }
  return given
}

/** The fields of an AdmissionConfiguration besides its kind and version. */
function configurationOf(document: unknown, path: string): Record<string, unknown> {
  const { apiVersion, kind, ...rest } = isObject(document) ? document : {}
  if (typeof kind !== 'string' || kind === '') throw refused(`Object 'Kind' is missing in ${path}`)
  if (typeof apiVersion !== 'string' || apiVersion === '') {
    throw refused(`Object 'apiVersion' is missing in ${path}`)
  }
  if (kind === 'AdmissionConfiguration' && versions.includes(apiVersion)) return rest
  throw refused(`no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)}`)
}

function refused(why: string): StartError {
  return new StartError(`${reading}: ${why}`)
}

function unknownFields(entry: unknown, path: string): string[] {
  return Object.keys(isObject(entry) ? entry : {})
    .filter((field) => !['name', 'path', 'configuration'].includes(field))
    .map((field) => `${path}.${field}`)
}

function isEntry(entry: unknown): entry is PluginEntry {
  const isText = (value: unknown) => value === undefined || typeof value === 'string'
  return isObject(entry) && isText(entry['name']) && isText(entry['path'])
}

async function readDocument(path: string, say: (why: string) => string): Promise<unknown> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    throw new StartError(say(`open ${path}: ${systemReason(error) ?? String(error)}`), error)
  }
  try {
    return (await decodeYaml(bytes)).value
  } catch (error) {
    throw new StartError(say(messageOf(error)), error)
  }
}
