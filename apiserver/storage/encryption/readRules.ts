import { isObject } from '../../meta/json/isObject.ts'
import type {
  EncryptionConfiguration,
  Keys,
  KmsProvider,
  NamedKey,
  Provider,
  ResourceRule,
} from './encryptionConfiguration.ts'
import { parseGoDuration } from './goDuration.ts'

/** Error for a file that is not an encryption configuration. */
export class DecodeError extends Error {}

/** Unknown fields, by path. */
export class UnknownFields {
  readonly #paths: string[] = []

  check(found: Record<string, unknown>, path: string, known: readonly string[]): void {
    for (const name of Object.keys(found)) {
      if (!known.includes(name)) this.#paths.push(path === '' ? name : `${path}.${name}`)
    }
  }

  /** Refuses unknown fields. @throws DecodeError if there are any. */
  refuse(): void {
    if (this.#paths.length === 0) return
    const each = this.#paths.map((path) => `unknown field "${path}"`)
    throw new DecodeError(`strict decoding error: ${each.join(', ')}`)
  }
}

const defaultTimeoutMs = 3_000

/** Rules of a document. @throws DecodeError for fields of other types, in the wording of the real server. */
export function readRules(
  document: Record<string, unknown>,
  unknown: UnknownFields,
): EncryptionConfiguration {
  unknown.check(document, '', ['apiVersion', 'kind', 'metadata', 'resources'])
  const found = list(document['resources'], {
    field: 'EncryptionConfiguration.resources',
    type: '[]v1.ResourceConfiguration',
  })
  return { resources: found.map((rule, index) => readRule(rule, `resources[${index}]`, unknown)) }
}

function readRule(given: unknown, path: string, unknown: UnknownFields): ResourceRule {
  const rule = struct(given, 'EncryptionConfiguration.resources', 'v1.ResourceConfiguration')
  unknown.check(rule, path, ['resources', 'providers'])
  const at = 'ResourceConfiguration.resources'
  const names = list(rule['resources'], { field: `${at}.resources`, type: '[]string' })
  const providers = list(rule['providers'], {
    field: `${at}.providers`,
    type: '[]v1.ProviderConfiguration',
  })
  return {
    resources: names.map((name) => stringOrEmpty(name, `${at}.resources`)),
    providers: providers.map((one, index) =>
      readProvider(one, `${path}.providers[${index}]`, unknown),
    ),
  }
}

const keyed = {
  aesgcm: 'AESConfiguration',
  aescbc: 'AESConfiguration',
  secretbox: 'SecretboxConfiguration',
} as const

function readProvider(given: unknown, path: string, unknown: UnknownFields): Provider {
  const at = 'ResourceConfiguration.resources.providers'
  const found = struct(given, at, 'v1.ProviderConfiguration')
  unknown.check(found, path, [...Object.keys(keyed), 'identity', 'kms'])
  const provider: Provider = {}
  for (const name of ['aesgcm', 'aescbc', 'secretbox'] as const) {
    if (isGiven(found[name])) provider[name] = readKeys(found[name], path, { name, unknown })
  }
  if (isGiven(found['identity'])) {
    provider.identity = struct(
      found['identity'],
      `ProviderConfiguration.resources.providers.identity`,
      'v1.IdentityConfiguration',
    )
    unknown.check(found['identity'] as Record<string, unknown>, `${path}.identity`, []) // checked by `struct`
  }
  if (isGiven(found['kms'])) provider.kms = readKms(found['kms'], `${path}.kms`, unknown)
  return provider
}

function readKeys(
  given: unknown,
  above: string,
  { name, unknown }: { name: keyof typeof keyed; unknown: UnknownFields },
): Keys {
  const at = `resources.providers.${name}`
  const path = `${above}.${name}`
  const found = struct(given, `ProviderConfiguration.${at}`, `v1.${keyed[name]}`)
  unknown.check(found, path, ['keys'])
  const keys = list(found['keys'], { field: `${keyed[name]}.${at}.keys`, type: '[]v1.Key' })
  const read = (key: unknown, index: number): NamedKey => {
    const one = struct(key, `${keyed[name]}.${at}.keys`, 'v1.Key')
    unknown.check(one, `${path}.keys[${index}]`, ['name', 'secret'])
    return {
      name: stringOrEmpty(one['name'], `Key.${at}.keys.name`),
      secret: stringOrEmpty(one['secret'], `Key.${at}.keys.secret`),
    }
  }
  return { keys: keys.map(read) }
}

function readKms(given: unknown, path: string, unknown: UnknownFields): KmsProvider {
  const at = 'resources.providers.kms'
  const found = struct(given, `ProviderConfiguration.${at}`, 'v1.KMSConfiguration')
  unknown.check(found, path, ['apiVersion', 'name', 'cachesize', 'endpoint', 'timeout'])
  const field = (name: string) => stringOrEmpty(found[name], `KMSConfiguration.${at}.${name}`)
  const { cachesize } = found
  if (isGiven(cachesize) && !Number.isInteger(cachesize))
    throw wrongType(cachesize, `KMSConfiguration.${at}.cachesize`, 'int32')
  const timeout = isGiven(found['timeout']) ? field('timeout') : undefined
  const timeoutMs = timeout === undefined ? defaultTimeoutMs : parseGoDuration(timeout)
  if (timeoutMs === undefined) throw new DecodeError(`time: invalid duration "${timeout}"`)
  return {
    apiVersion: field('apiVersion') === '' ? 'v1' : field('apiVersion'),
    name: field('name'),
    endpoint: field('endpoint'),
    timeoutMs,
    cachesize: isGiven(cachesize) ? Number(cachesize) : undefined,
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

function struct(value: unknown, field: string, type: string): Record<string, unknown> {
  if (!isGiven(value)) return {}
  if (isObject(value)) return value
  throw wrongType(value, field, type)
}

function list(value: unknown, { field, type }: { field: string; type: string }): unknown[] {
  if (!isGiven(value)) return []
  if (Array.isArray(value)) return value
  throw wrongType(value, field, type)
}

function stringOrEmpty(value: unknown, field: string): string {
  if (!isGiven(value)) return ''
  if (typeof value === 'string') return value
  throw wrongType(value, field, 'string')
}

function wrongType(value: unknown, field: string, type: string): DecodeError {
  const found = Array.isArray(value) ? 'array' : isObject(value) ? 'object' : goName(value)
  return new DecodeError(
    `json: cannot unmarshal ${found} into Go struct field ${field} of type ${type}`,
  )
}

function goName(value: unknown): string {
  return typeof value === 'boolean' ? 'bool' : typeof value
}
