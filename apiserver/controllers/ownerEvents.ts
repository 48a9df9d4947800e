import { formatTime, type Clock } from '../meta/clock.ts'
import { goQuote } from '../meta/goQuote.ts'
import { StatusError } from '../meta/status.ts'
import type { ApiObject, OwnerReference } from '../meta/types.ts'
import { decodeObject } from '../registry/objectBytes.ts'
import type { Store } from '../registry/store.ts'
import { systemContext } from '../registry/systemContext.ts'

export interface OwnerEventsOptions {
  clock: Clock
  report: (error: unknown) => void
  /** Store of events; undefined: events are not served. */
  eventStore: () => Store | undefined
}

/** Maximum number of references checked per object. */
const maxChecked = 10

/**
 * Maximum number of references remembered, so that each is checked and reported only once; beyond
 * that, the set is cleared.
 */
const maxRemembered = 10_000

/**
 * Reports invalid owner references as events: to an owner in another namespace, or from a
 * cluster-scoped object to a namespaced owner. Source: reference 3.7; Kubernetes, "Owners and
 * dependents".
 */
export class OwnerEvents {
  readonly #options: OwnerEventsOptions
  readonly #seen = new Set<string>()
  #count = 0

  constructor(options: OwnerEventsOptions) {
    this.#options = options
  }

  /**
   * Checks a reference after `owner` was not found for `dependent`; `owners` is the store of the
   * owner's kind.
   */
  async check(dependent: ApiObject, owner: OwnerReference, owners: Store): Promise<void> {
    const key = `${dependent.metadata.uid ?? ''} ${owner.uid}`
    if (!owners.resource.namespaced || this.#seen.has(key)) return
    // Each check reads all objects of a kind, so only a few references of an object are checked.
    const { ownerReferences = [] } = dependent.metadata
    if (ownerReferences.slice(maxChecked).some(({ uid }) => uid === owner.uid)) return
    if (this.#seen.size === maxRemembered) this.#seen.clear()
    this.#seen.add(key)
    const { namespace = '' } = dependent.metadata
    if (namespace !== '' && !(await existsElsewhere(owner, owners))) return
    await this.#record(dependent, owner)
  }

  async #record(dependent: ApiObject, owner: OwnerReference): Promise<void> {
    const { clock, report } = this.#options
    const events = this.#options.eventStore()
    if (events === undefined) return
    const suffix = (clock.now() * 1_000_000 + (this.#count++ % 1_000_000)).toString(16)
    const event = eventOf(dependent, owner, { suffix, time: formatTime(clock.now()) })
    await events.create(event, systemContext()).catch((error: unknown) => {
      // A namespace that is being deleted accepts no events.
      if (!(error instanceof StatusError)) report(error)
    })
  }
}

async function existsElsewhere({ name, uid }: OwnerReference, owners: Store): Promise<boolean> {
  const { items } = await owners.options.storage.list({ prefix: owners.keyPrefix })
  return items.some(
    ({ key, value }) => key.endsWith(`/${name}`) && decodeObject(value).metadata.uid === uid,
  )
}

const component = 'garbage-collector-controller'

function eventOf(
  { apiVersion, kind, metadata }: ApiObject,
  owner: OwnerReference,
  { suffix, time }: { suffix: string; time: string },
): ApiObject {
  const { name = '', namespace = '', uid = '' } = metadata
  const reference = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${suffix}`, namespace: namespace === '' ? 'default' : namespace },
    involvedObject: { kind, ...(namespace === '' ? {} : { namespace }), name, uid, apiVersion },
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef ${reference} does not exist in namespace ${goQuote(namespace)}`,
    source: { component },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type: 'Warning',
    eventTime: null,
    reportingComponent: component,
    reportingInstance: '',
  }
}
