import {
  duplicateField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import { identityProviderErrors } from './identityProviderRules.ts'
import { hiddenRestriction, restrictionErrors } from './restrictionRules.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Rules of the configuration beyond its schema, except for audit. Paths are relative to the
 * document, which already matches the schema. Source: specification, "Config".
 */
export function configRules(names: NamesProfile): (config: Fields) => FieldError[] {
  return (config) => {
    const auth = fields(config['auth'])
    return [
      ...providerErrors(auth, 'auth', names),
      ...connectorErrors(auth, names),
      ...filterErrors(auth),
      ...headerErrors(fields(auth['customHttpHeaders'])),
      ...secretStoreErrors(fields(config[names.secretStore]), names.secretStore),
      ...identityProviderErrors(config['oidc']),
    ]
  }
}

/**
 * Rules for new documents only. A stored document stays in effect; if its restrictions are invalid,
 * no user can log in.
 */
export function newConfigRules(names: NamesProfile): (config: Fields) => FieldError[] {
  return (config) => {
    const auth = fields(config['auth'])
    return [
      ...restrictionErrors(auth, 'auth', names),
      ...list(auth['connectors']).flatMap((entry, at) => {
        const path = `auth.connectors[${at}]`
        const connector = fields(entry)
        return [
          ...severalErrors(connector, path, names),
          ...restrictionErrors(connector, path, names),
        ]
      }),
    ]
  }
}

/**
 * Errors for connectors with several providers, of which only one would be used and the
 * restrictions of the others ignored.
 */
function severalErrors(connector: Fields, path: string, names: NamesProfile): FieldError[] {
  const provider = hiddenRestriction(connector, names)
  if (provider === undefined) return []
  const why = 'the restrictions of a connector with several providers cannot be checked'
  return [invalidField(`${path}.${provider}`, '', why)]
}

function connectorErrors(auth: Fields, names: NamesProfile): FieldError[] {
  const ids = new Set<unknown>()
  return list(auth['connectors']).flatMap((entry, at) => {
    const path = `auth.connectors[${at}]`
    const connector = fields(entry)
    const { id } = connector
    const isRepeated = ids.has(id)
    ids.add(id)
    return [...idErrors(id, `${path}.id`, isRepeated), ...providerErrors(connector, path, names)]
  })
}

function idErrors(id: unknown, path: string, isRepeated: boolean): FieldError[] {
  if (typeof id !== 'string') return [requiredField(path)]
  if (isRepeated) return [duplicateField(path, id)]
  return /^[A-Za-z0-9]([-_.A-Za-z0-9]*[A-Za-z0-9])?$/.test(id)
    ? []
    : [invalidField(path, id, "must be letters, digits, '-', '_' and '.': it is part of URLs")]
}

/** Errors for the providers in one object. */
function providerErrors(providers: Fields, path: string, names: NamesProfile): FieldError[] {
  const errors: FieldError[] = []
  const saml = fields(providers['saml'])
  const hasTrust =
    ['caData', 'ca'].some((name) => (saml[name] ?? '') !== '') ||
    saml['insecureSkipSignatureValidation'] === true
  if (providers['saml'] !== undefined && !hasTrust) {
    const why = 'one of caData, ca and insecureSkipSignatureValidation is needed'
    errors.push(requiredField(`${path}.saml.caData`, why))
  }
  const { serviceAccountFilePath, adminEmail } = fields(providers[names.identityA])
  if (serviceAccountFilePath !== undefined && adminEmail === undefined) {
    const why = 'it is needed with serviceAccountFilePath'
    errors.push(requiredField(`${path}.${names.identityA}.adminEmail`, why))
  }
  return errors
}

function filterErrors(auth: Fields): FieldError[] {
  return list(auth['groupsFilters']).flatMap((pattern, at) => {
    const path = `auth.groupsFilters[${at}]`
    try {
      return new RegExp(String(pattern)) instanceof RegExp ? [] : []
    } catch {
      return [invalidField(path, pattern, 'must be a regular expression')]
    }
  })
}

/**
 * Errors for headers. Source: RFC 9110, sections 5.1 and 5.5. Values are not quoted: some are
 * secrets.
 */
function headerErrors(headers: Fields): FieldError[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const path = `auth.customHttpHeaders[${name}]`
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      return [invalidField(path, name, 'must be the name of an HTTP header')]
    }
    return /^[\t\x20-\x7e]*$/.test(String(value))
      ? []
      : [invalidField(path, '', 'must be one line of printable ASCII characters')]
  })
}

function secretStoreErrors(store: Fields, path: string): FieldError[] {
  const errors: FieldError[] = []
  const { syncInterval } = store
  if (typeof syncInterval === 'string' && !isPositiveDuration(syncInterval)) {
    const why = 'must be a duration above zero, such as 30s or 1h30m'
    errors.push(invalidField(`${path}.syncInterval`, syncInterval, why))
  }
  const { tokenSecretRef } = fields(store['auth'])
  if (tokenSecretRef !== undefined && fields(tokenSecretRef)['name'] === undefined) {
    errors.push(requiredField(`${path}.auth.tokenSecretRef.name`))
  }
  return errors
}

/** Reports whether a string is a positive duration. Source: Go, time.ParseDuration. */
function isPositiveDuration(text: string): boolean {
  const isDuration = /^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$/.test(text)
  return isDuration && /[1-9]/.test(text) && text.length <= 100
}

function fields(value: unknown): Fields {
  // Guaranteed by the schema.
  return (value ?? {}) as Fields
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
