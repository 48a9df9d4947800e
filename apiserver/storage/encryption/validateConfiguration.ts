import { invalidField, requiredField, type FieldError } from '../../meta/fieldErrors.ts'
import {
  parseGroupResource,
  type EncryptionConfiguration,
  type KmsProvider,
  type NamedKey,
  type Provider,
} from './encryptionConfiguration.ts'
import { resourceErrors } from './validateResources.ts'

const aesKeyBytes = [16, 24, 32]
const secretboxKeyBytes = [32]

/** Errors of a configuration, in the wording of the real server, without secrets. */
export function configurationErrors(
  { resources }: EncryptionConfiguration,
  isReloaded: boolean,
): FieldError[] {
  if (resources.length === 0) return [requiredField('resources', atLeastOne('resources'))]
  const kmsNames = new Set<string>()
  return resources.flatMap(({ resources: names, providers }, index) => {
    const path = `resources[${index}]`
    return [
      ...resourceErrors(names, `${path}.resources`),
      ...(providers.length > 0
        ? []
        : [requiredField(`${path}.providers`, atLeastOne(`${path}.providers`))]),
      ...providers.flatMap((provider, at) =>
        providerErrors(provider, `${path}.providers[${at}]`, { kmsNames, isReloaded }),
      ),
    ]
  })
}

interface Seen {
  /** Names of KMS providers so far. */
  kmsNames: Set<string>
  isReloaded: boolean
}

function providerErrors(provider: Provider, path: string, seen: Seen): FieldError[] {
  const { kms, aesgcm, aescbc, secretbox } = provider
  const errors = singleErrors(provider, path)
  if (kms !== undefined) {
    errors.push(...kmsErrors(kms, `${path}.kms`, seen))
    seen.kmsNames.add(kms.name)
  } else if (aesgcm !== undefined) {
    errors.push(...keysErrors(aesgcm.keys, `${path}.aesgcm.keys`, aesKeyBytes))
  } else if (aescbc !== undefined) {
    errors.push(...keysErrors(aescbc.keys, `${path}.aescbc.keys`, aesKeyBytes))
  } else if (secretbox !== undefined) {
    errors.push(...keysErrors(secretbox.keys, `${path}.secretbox.keys`, secretboxKeyBytes))
  }
  return errors
}

const noProvider =
  'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity'
const twoProviders =
  'more than one provider specified in a single element, should split into different list elements'

function singleErrors(provider: Provider, path: string): FieldError[] {
  const count = Object.values(provider).length
  if (count === 1) return []
  return [invalidField(path, shown(provider), count === 0 ? noProvider : twoProviders)]
}

/** Provider in the form of the real server, with redacted secrets. */
function shown({ aesgcm, aescbc, secretbox, identity, kms }: Provider): object {
  const keys = (given: { keys: readonly NamedKey[] } | undefined) =>
    given === undefined
      ? null
      : { Keys: given.keys.map(({ name }) => ({ Name: name, Secret: 'REDACTED' })) }
  return {
    AESGCM: keys(aesgcm),
    AESCBC: keys(aescbc),
    Secretbox: keys(secretbox),
    Identity: identity ?? null,
    KMS: kms === undefined ? null : { Name: kms.name },
  }
}

function keysErrors(
  keys: readonly NamedKey[],
  path: string,
  bytes: readonly number[],
): FieldError[] {
  if (keys.length === 0) return [requiredField(path, atLeastOne('keys'))]
  return keys.flatMap((key, index) => keyErrors(key, `${path}[${index}]`, bytes))
}

function keyErrors(
  { name, secret }: NamedKey,
  path: string,
  bytes: readonly number[],
): FieldError[] {
  const errors: FieldError[] = []
  if (name === '') errors.push(requiredField(`${path}.name`, mandatory('name', 'key')))
  if (secret === '') {
    errors.push(requiredField(`${path}.secret`, mandatory('secret', 'key')))
  } else if (!isBase64(secret)) {
    errors.push(invalidField(`${path}.secret`, 'REDACTED', 'secrets must be base64 encoded'))
  } else if (!bytes.includes(Buffer.from(secret, 'base64').length)) {
    const found = Buffer.from(secret, 'base64').length
    const why = `secret is not of the expected length, got ${found}, expected one of [${bytes.join(' ')}]`
    errors.push(invalidField(`${path}.secret`, 'REDACTED', why))
  }
  return errors
}

/** Reports whether a string is padded standard base64; line breaks are ignored. */
function isBase64(text: string): boolean {
  const bare = text.replace(/[\r\n]/g, '')
  return bare.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(bare)
}

function kmsErrors(kms: KmsProvider, path: string, seen: Seen): FieldError[] {
  const { timeoutMs, cachesize, apiVersion } = kms
  const errors = kmsNameErrors(kms, `${path}.name`, seen)
  if (timeoutMs <= 0) {
    const shownAs = `${timeoutMs / 1000}s`
    errors.push(invalidField(`${path}.timeout`, shownAs, 'timeout should be a positive value'))
  }
  errors.push(...endpointErrors(kms, `${path}.endpoint`))
  if (apiVersion !== 'v1' && cachesize !== undefined)
    errors.push(invalidField(`${path}.cachesize`, cachesize, 'cachesize is not supported in v2'))
  if (apiVersion === 'v1' && cachesize === 0) {
    const why = 'cachesize should be a positive value, or negative to disable'
    errors.push(invalidField(`${path}.cachesize`, cachesize, why))
  }
  if (apiVersion !== 'v1' && apiVersion !== 'v2') {
    const why = 'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported'
    errors.push(invalidField(`${path}.apiVersion`, apiVersion, why))
  }
  return errors
}

function kmsNameErrors({ name, apiVersion }: KmsProvider, path: string, seen: Seen): FieldError[] {
  const errors: FieldError[] = []
  if (name === '') errors.push(requiredField(path, mandatory('name', 'provider')))
  if (apiVersion !== 'v1' && name.includes(':')) {
    const why = `invalid KMS provider name ${name}, must not contain ':'`
    errors.push(invalidField(path, name, why))
  }
  if ((seen.isReloaded || apiVersion !== 'v1') && seen.kmsNames.has(name)) {
    const why = `duplicate KMS provider name ${name}, names must be unique`
    errors.push(invalidField(path, name, why))
  }
  return errors
}

function endpointErrors({ endpoint }: KmsProvider, path: string): FieldError[] {
  if (endpoint === '') return [invalidField(path, '', mandatory('endpoint', 'kms'))]
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(endpoint)?.[1]?.toLowerCase() ?? ''
  if (scheme === 'unix') return []
  const why = `unsupported scheme ${JSON.stringify(scheme)} for KMS provider, only unix is supported`
  return [invalidField(path, endpoint, why)]
}

/** First rule hidden by an earlier one, in the wording of the real server; undefined: none. */
export function maskedRule({ resources }: EncryptionConfiguration): string | undefined {
  const seen = new Set<string>()
  for (const { resources: names } of resources) {
    for (const name of names) {
      const { group, resource } = parseGroupResource(name)
      const mask = [`*.${group}`, '*.*'].find((one) => seen.has(one))
      const shownAs = group === '' && resource !== '*' ? resource : `${resource}.${group}`
      if (mask !== undefined) {
        return `resource ${JSON.stringify(shownAs)} is masked by earlier rule ${JSON.stringify(mask)}`
      }
      seen.add(`${resource}.${group}`)
    }
  }
  return undefined
}

function atLeastOne(what: string): string {
  return `at least one ${what} is required`
}

function mandatory(field: string, of: string): string {
  return `${field} is a mandatory field for a ${of}`
}
