import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject } from '../../../meta/types.ts'

/** Location of an object in a secret store. */
export interface StorePlace {
  mount: string
  path: string
}

/**
 * The annotations for syncing with a secret store: engine version, mount and path are set by clients, the last sync
 * only by the server. Source: the platform's guide to syncing with a secret store.
 */
export class StoreMarks {
  readonly versionAnnotation: string
  readonly mountAnnotation: string
  readonly pathAnnotation: string
  readonly syncedAnnotation: string
  readonly finalizer: string
  readonly condition: string
  /** Common prefix of these names, used to search the bytes of an object. */
  readonly word: string

  constructor({ domain, secretStore }: NamesProfile) {
    const prefix = `${domain}/${secretStore}-kv`
    this.versionAnnotation = `${prefix}-version`
    this.mountAnnotation = `${prefix}-mount-path`
    this.pathAnnotation = `${prefix}-secret-path`
    this.syncedAnnotation = `${prefix}-synced`
    this.finalizer = `${prefix}-sync`
    this.condition = `${secretStore.charAt(0).toUpperCase()}${secretStore.slice(1)}Synced`
    this.word = `"${prefix}-`
  }

  /** The location in an object's annotations; undefined unless both mount and path are set. */
  place({ metadata: { annotations = {} } }: ApiObject): StorePlace | undefined {
    const mount = annotations[this.mountAnnotation] ?? ''
    const path = annotations[this.pathAnnotation] ?? ''
    return mount === '' || path === '' ? undefined : { mount, path }
  }

  isHeld({ metadata }: ApiObject): boolean {
    return metadata.finalizers?.includes(this.finalizer) === true
  }
}
