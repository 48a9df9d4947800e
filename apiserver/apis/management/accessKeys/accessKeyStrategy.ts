import { isDeepStrictEqual } from 'node:util'
import type { AccessKeyLimits } from '../../../authentication/accessKeys/accessKeyLifetime.ts'
import {
  generateAccessKey,
  isStoredAccessKey,
  storedAccessKey,
} from '../../../authentication/accessKeys/accessKeyForm.ts'
import { derivedScope } from '../../../authorization/scope/derivedScope.ts'
import { scopeErrors } from '../../../authorization/scope/scopeErrors.ts'
import type { Random } from '../../../meta/clock.ts'
import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import { managementGroup, type NamesProfile } from '../../../meta/names/namesProfile.ts'
import { forbidden } from '../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { Store } from '../../../registry/store.ts'
import type { RequestContext, Strategy } from '../../../registry/strategy.ts'
import type { PlaneAccess } from '../../planeAccess.ts'
import { withBounds } from './accessKeyBounds.ts'
import { AccessKeyOwner } from './accessKeyOwner.ts'
import { fillKeyOwner, keyWriteRefusal } from './accessKeyRules.ts'
import { specOf, uncheckedSpecOf } from './accessKeySpec.ts'
import { withDistinctValues } from './accessKeyValues.ts'
import { ConnectorData } from '../users/connectorData.ts'
import { managementResource } from '../managementKind.ts'

export interface AccessKeyStrategyOptions {
  names: NamesProfile
  random: Random
  /** The plane of the keys. */
  access: PlaneAccess
  /** The platform's current limits. */
  limits: () => AccessKeyLimits
  /** Maximum number of keys of a user or a team; 0: unlimited. */
  maxKeys: () => number
}

/**
 * The strategy of access keys: their value is stored as a digest and unique, a key has at most its creator's rights, it
 * is deleted with its user, team or service account, and connector data is stored separately.
 * Source: specification, "OwnedAccessKey" and "Scope"; platform facts 1.4, 7.3.
 */
export function accessKeyStrategy(options: AccessKeyStrategyOptions): Strategy {
  const { names, random, access } = options
  const owner = new AccessKeyOwner(names, access)
  const connectorData = new LazyConnectorData(names, access)
  const prepared = new WeakMap<ApiObject, { key?: string; connectorData?: string }>()
  const strategy: Strategy = {
    generation: 'specAndAnnotations',
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: true,

    authorizeWrite: async (next, old, context) => {
      checkRights(next, old, context, names)
      const data = uncheckedSpecOf(next).identity?.connectorData
      const uid = old?.metadata.uid
      if (uid === undefined || typeof data !== 'string' || data === '' || context.dryRun) return
      await connectorData.get().set(uid, data)
    },

    prepareForCreate: (object, { user }) => {
      const spec = specOf(object)
      fillKeyOwner(spec, user, names)
      const derived = derivedScope(user, spec.scope, names)
      if ('scope' in derived && derived.scope !== undefined) spec.scope = derived.scope
      const key = isGiven(spec.key) ? spec.key : generateAccessKey(random)
      spec.key = storedAccessKey(key)
      const data = takeConnectorData(object)
      prepared.set(object, {
        ...(isStoredAccessKey(key) ? {} : { key }),
        ...(data === undefined ? {} : { connectorData: data }),
      })
      owner.remember(object)
    },
    afterCreate: async (created) => {
      const data = prepared.get(created)?.connectorData
      if (data !== undefined) await connectorData.get().set(created.metadata.uid ?? '', data)
    },
    revealToCreator: (created, object) => {
      const key = prepared.get(object)?.key
      if (key !== undefined) specOf(created).key = key
    },

    prepareForUpdate: (next, old) => {
      const spec = specOf(next)
      spec.key = isGiven(spec.key) ? storedAccessKey(spec.key) : (specOf(old).key ?? '')
      takeConnectorData(next)
      owner.remember(next, old)
    },

    validate: (object) => [
      ...keyErrors(object),
      ...scopeErrors(specOf(object).scope, 'spec.scope', names),
    ],
    validateUpdate: (next, old) => {
      // Keys stored under earlier rules stay writable.
      const { scope } = specOf(next)
      const isSame = isDeepStrictEqual(scope, specOf(old).scope)
      return [...keyErrors(next), ...(isSame ? [] : scopeErrors(scope, 'spec.scope', names))]
    },
    warningsOnCreate: (object) => creationWarnings(object, options.limits()),
    warningsOnUpdate: (next, old) =>
      specOf(next).ttl === specOf(old).ttl ? [] : ttlWarnings(next, options.limits()),
  }
  const keys = () => keyStore(names, access)
  return withBounds(withDistinctValues(strategy, keys), { ...options, keys })
}

/** Created on first use, since the plane does not exist before. */
class LazyConnectorData {
  readonly #make: () => ConnectorData
  #made: ConnectorData | undefined

  constructor(names: NamesProfile, access: PlaneAccess) {
    this.#make = () => new ConnectorData(keyStore(names, access))
  }

  get(): ConnectorData {
    this.#made ??= this.#make()
    return this.#made
  }
}

function keyStore(names: NamesProfile, access: PlaneAccess): Store {
  return access.store(managementResource(names, 'ownedaccesskeys'))
}

function checkRights(
  next: ApiObject,
  old: ApiObject | undefined,
  { user }: RequestContext,
  names: NamesProfile,
): void {
  const why = keyWriteRefusal(uncheckedSpecOf(next), old && specOf(old), user, names)
  if (why === undefined) return
  const group = managementGroup(names)
  throw forbidden({ group, resource: 'ownedaccesskeys' }, next.metadata.name ?? '', why)
}

/** Removes the data from the object and returns it; undefined: none. Changes `object`. */
function takeConnectorData(object: ApiObject): string | undefined {
  const { identity } = specOf(object)
  const data = identity?.connectorData
  if (identity !== undefined) delete identity.connectorData
  return isGiven(data) ? data : undefined
}

function keyErrors(object: ApiObject): FieldError[] {
  const { user, team, subject, ttl } = specOf(object)
  const errors: FieldError[] = []
  if (!isGiven(user) && !isGiven(team) && !isGiven(subject)) {
    errors.push(requiredField('spec.user', 'one of user, team or subject is needed'))
  }
  if (isGiven(user) && isGiven(team)) {
    errors.push(
      invalidField('spec.team', team, 'a key belongs to a user or to a team, not to both'),
    )
  }
  if (ttl !== undefined && ttl < 0) {
    errors.push(invalidField('spec.ttl', ttl, 'must be greater than or equal to 0'))
  }
  return errors
}

/**
 * Warnings about a lifetime beyond the limit: the requested value is stored, but the key expires at
 * the limit.
 */
function ttlWarnings(object: ApiObject, { accessKeyMaxTTLSeconds: max = 0 }: AccessKeyLimits) {
  const { ttl = 0 } = specOf(object)
  if (max === 0 || ttl <= max) return []
  return [
    `spec.ttl: access keys end ${max} seconds after their creation; a longer ttl has no effect`,
  ]
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== ''
}

function creationWarnings(key: ApiObject, limits: AccessKeyLimits): string[] {
  return [...ttlWarnings(key, limits), ...appliedKeyWarnings(key)]
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/**
 * Warning for a client that applies a key without a value: only the response contains the generated
 * value.
 */
function appliedKeyWarnings({
  metadata: { annotations, managedFields = [] },
}: ApiObject): string[] {
  const config = annotations?.[lastApplied]
  const applies = managedFields.filter(({ operation }) => operation === 'Apply')
  const isGivenByApply = applies.some(({ fieldsV1 }) =>
    JSON.stringify(fieldsV1).includes('"f:key"'),
  )
  const isApplied = config === undefined ? applies.length > 0 : !config.includes('"key":')
  if (!isApplied || isGivenByApply) return []
  return [
    'the key is shown only in the response to this request, which apply does not print: create it with "kubectl create -o yaml", or set spec.key',
  ]
}
