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
  /** Undefined: there are no events here. */
  eventStore: () => Store | undefined
}

/** So many references are remembered, so that each is looked at and told of once; then all are forgotten. */
const maxRemembered = 10_000

/** Tells, in events, of owner references that can mean nothing: of what is in a namespace to an owner in another, and of
 *  what is in none to an owner in one. Source: reference 3.7; Kubernetes, "Owners and dependents". */
export class OwnerEvents {
  readonly #options: OwnerEventsOptions
  readonly #seen = new Set<string>()
  #count = 0

  constructor(options: OwnerEventsOptions) {
    this.#options = options
  }

  /** `owner` was not found where `dependent` may have owners; `owners` are the objects of its kind. */
  async check(dependent: ApiObject, owner: OwnerReference, owners: Store): Promise<void> {
    const key = `${dependent.metadata.uid ?? ''} ${owner.uid}`
    if (!owners.resource.namespaced || this.#seen.has(key)) return
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
      // A namespace that is being deleted takes no events any more.
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
