import { hash } from 'node:crypto'
import { formatTime, type Clock } from '../../apiserver/meta/clock.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { isPlaneError, type PlaneClient, type PlaneResource } from '../client/planeClient.ts'

const events: PlaneResource = {
  apiVersion: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
}
const longestMessage = 1000

export interface EventRecorderOptions {
  client: PlaneClient
  clock: Clock
  /** The reporting component. */
  component: string
}

/** Reports sync errors to the object's owner, as an Event beside the object. Repeats are counted in one Event. */
export class EventRecorder {
  readonly #options: EventRecorderOptions

  constructor(options: EventRecorderOptions) {
    this.#options = options
  }

  /** Reports an error. @throws PlaneError if the plane refuses the event. */
  async warn(object: ApiObject, reason: string, text: string): Promise<void> {
    const { client, clock } = this.#options
    const message = text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text
    const event = this.#event(object, reason, message)
    const { name = '', namespace = '' } = event.metadata
    const known = await client.get(events, { name, namespace })
    try {
      if (known === undefined) await client.create(events, event)
      else await client.replace(events, counted(known, formatTime(clock.now())))
    } catch (error) {
      if (!isPlaneError(error, 409)) throw error // another attempt reported the same first
    }
  }

  #event(object: ApiObject, reason: string, message: string): ApiObject {
    const { name = '', namespace = '', uid = '', resourceVersion = '' } = object.metadata
    const { apiVersion, kind } = object
    const digest = hash('sha256', JSON.stringify([uid, reason, message])).slice(0, 16)
    const time = formatTime(this.#options.clock.now())
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name.slice(0, 200)}.${digest}`, namespace },
      involvedObject: { apiVersion, kind, name, namespace, uid, resourceVersion },
      reason,
      message,
      type: 'Warning',
      source: { component: this.#options.component },
      reportingComponent: this.#options.component,
      reportingInstance: '',
      count: 1,
      firstTimestamp: time,
      lastTimestamp: time,
    }
  }
}

function counted(event: ApiObject, lastTimestamp: string): ApiObject {
  const count = typeof event.count === 'number' ? event.count : 1
  return { ...event, count: count + 1, lastTimestamp }
}
