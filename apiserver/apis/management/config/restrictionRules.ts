import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'

type Fields = Readonly<Record<string, unknown>>

type Check = (settings: Fields, path: string) => FieldError | undefined

/** A setting of a provider that restricts logins. */
interface Restriction {
  field: string
  /** Reports a missing setting that the check needs; undefined: none is needed. */
  lacks?: Check
}

/** Tenants open to any account; their users have no directory with groups. */
export const sharedTenants: readonly string[] = ['common', 'consumers', 'organizations']

/** All restrictions by provider key. A restriction that cannot be checked refuses every login. */
export function restrictionsOf(names: NamesProfile): Readonly<Record<string, Restriction[]>> {
  return {
    oidc: [{ field: 'groups' }],
    [names.gitHostA]: [{ field: 'orgs', lacks: namelessOrganization }],
    [names.gitHostB]: [{ field: 'groups' }],
    [names.identityA]: [
      { field: 'hostedDomains' },
      { field: 'groups', lacks: needs('serviceAccountFilePath') },
    ],
    [names.identityB]: [{ field: 'groups', lacks: ownTenant }],
    saml: [{ field: 'allowedGroups', lacks: needs('groupsAttr') }],
  }
}

/** Errors for the restrictions of the providers in one object. Paths begin with `path`. */
export function restrictionErrors(
  providers: Fields,
  path: string,
  names: NamesProfile,
): FieldError[] {
  return Object.entries(restrictionsOf(names)).flatMap(([provider, restrictions]) => {
    // Guaranteed by the schema.
    const settings = (providers[provider] ?? {}) as Fields
    return restrictions.flatMap(({ field, lacks }) => {
      const values = list(settings[field])
      if (values.length === 0) return []
      const at = `${path}.${provider}`
      const missing = lacks?.(settings, at)
      return [...emptyErrors(values, `${at}.${field}`), ...(missing === undefined ? [] : [missing])]
    })
  })
}

/** Restricted provider of a connector with several providers; undefined: none. */
export function hiddenRestriction(connector: Fields, names: NamesProfile): string | undefined {
  const found = Object.entries(restrictionsOf(names)).filter(
    ([provider]) => connector[provider] !== undefined,
  )
  if (found.length < 2) return undefined
  const isRestricted = ([provider, restrictions]: [string, Restriction[]]): boolean => {
    // Guaranteed by the schema.
    const settings = connector[provider] as Fields
    return restrictions.some(({ field }) => list(settings[field]).length > 0)
  }
  return found.find(isRestricted)?.[0]
}

function emptyErrors(values: readonly unknown[], path: string): FieldError[] {
  return values.flatMap((value, at) => (value === '' ? [requiredField(`${path}[${at}]`)] : []))
}

function needs(field: string): Check {
  return (settings, path) =>
    (settings[field] ?? '') === ''
      ? requiredField(`${path}.${field}`, 'groups cannot be checked without it')
      : undefined
}

function ownTenant({ tenant }: Fields, path: string): FieldError | undefined {
  if (typeof tenant === 'string' && !sharedTenants.includes(tenant)) return undefined
  const why = 'groups can be checked only for the users of a single tenant: set it to yours'
  return invalidField(`${path}.tenant`, tenant ?? 'common', why)
}

function namelessOrganization({ orgs }: Fields, path: string): FieldError | undefined {
  // Guaranteed by the schema.
  const at = list(orgs).findIndex((org) => ((org as Fields)['name'] ?? '') === '')
  return at < 0 ? undefined : requiredField(`${path}.orgs[${at}].name`)
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
