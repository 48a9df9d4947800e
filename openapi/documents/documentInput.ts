import { ResourceSet } from '../../apiserver/registry/resourceSet.ts'
import type { GroupVersion } from '../../apiserver/meta/types.ts'
import type { Definitions } from '../definitions.ts'
import { documentKeys } from './documentKeys.ts'
import type { DocumentInfo } from './documentInfo.ts'
import { KnownDefinitions, servedKinds, type KnownDefinition } from '../kinds.ts'
import type { Route } from '../route.ts'

/** Content of the documents of one state of a resource set, which may change while they are created. */
export class DocumentInput {
  readonly set: ResourceSet
  readonly info: DocumentInfo
  readonly definitions: Definitions
  /** Functions that create the routes of each v3 document, by key. */
  readonly routes: ReadonlyMap<string, () => Route[]>
  #kinds: ReadonlyMap<string, KnownDefinition> | undefined

  constructor(set: ResourceSet, info: DocumentInfo, definitions: Definitions) {
    this.set = new ResourceSet(set.all())
    this.info = info
    this.definitions = definitions
    this.routes = documentKeys(this.set)
  }

  /** Known definitions for a document of these group versions, in addition to the core group. */
  known(places: GroupVersion[] = this.set.groupVersions()): KnownDefinitions {
    this.#kinds ??= servedKinds(this.set, this.definitions)
    return new KnownDefinitions(this.#kinds, this.set, places)
  }
}
