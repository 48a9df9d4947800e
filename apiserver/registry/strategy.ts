import type { FieldError } from '../meta/fieldErrors.ts'
import type { ApiObject, GroupResource, UserInfo } from '../meta/types.ts'
import type { Review } from './review.ts'

/** What a hook may know of the request it runs in. */
export interface RequestContext {
  user: UserInfo
  dryRun: boolean
  /** The server itself asks: the schema is not checked. Default false. */
  isTrusted?: boolean
  /** Adds a Warning header to the answer. */
  warn: (text: string) => void
  /** Where work on as many bytes takes long: resolves when it is the request's turn to go on, after others had theirs.
   *  Undefined, or absent: it goes on at once. */
  turn?: (bytes: number) => Promise<void> | undefined
  /** What kinds that several planes share know the request's plane by; kinds alone look into it. Absent: the kinds were
   *  made for one plane. */
  plane?: object | undefined
  /** What admission is told of a client's write. Absent: the write is not reviewed. */
  review?: Review | undefined
}

/** What is special about one kind. The generic store calls the hooks; every one is optional and a pure function of its
 *  arguments but for the objects it is said to change, since an update may run them several times.
 *
 *  Create: authorizeWrite → schema → prepareForCreate → validate → metadata → warningsOnCreate → canonicalize.
 *  Update: authorizeWrite → schema → prepareForUpdate → metadata → validateUpdate → warningsOnUpdate → canonicalize.
 *  Source: reference 10.3. */
export interface Strategy {
  /** What a name may look like. Default `subdomain`. */
  nameRule?: NameRule
  /** PUT to an unknown name creates. Default false. */
  allowCreateOnUpdate?: boolean
  /** PUT without a resourceVersion is taken as "whatever is there". Default false. */
  allowUnconditionalUpdate?: boolean
  /** The kind has a generation, raised by one when this differs; content is all but metadata. `first`: it is 1 and stays so.
   *  Default: spec. */
  generation?: 'spec' | 'specAndAnnotations' | 'content' | 'contentAndLabels' | 'first' | 'none'
  /** A client's status is replaced: on create by an empty one, on update by the stored one; `onUpdate`: a new object keeps its
   *  client's. Default true, if the schema has one. */
  resetsStatus?: boolean | 'onUpdate'
  /** Only metadata and status count of what an update sends; all else stays as stored, and so does the generation.
   *  Default false. */
  resetsContent?: boolean
  /** Default propagation of a delete without a policy; `unsupported`: no garbage collection finalizers ever. */
  garbageCollection?: 'background' | 'orphan' | 'unsupported'
  /** Who deletes an object is answered with it as it was last, not with a Status. Default false. */
  returnsDeletedObject?: boolean
  /** What is wrong with the metadata of a new object is told before what `validate` finds. Default false: only where that
   *  finds nothing. */
  validatesMetadata?: boolean
  /** Finalizers are standard ones, or say by a prefix whose they are. Default false. */
  qualifiesFinalizers?: boolean

  /** Refuses, by throwing a StatusError, what a client writes without the right that its content needs beside the verb.
   *  `old` is absent for a new object. Changes neither, and is not asked about the server's own writes. */
  authorizeWrite?(
    next: ApiObject,
    old: ApiObject | undefined,
    context: RequestContext,
  ): Promise<void>

  /** Resolves when what the hooks look at beside their arguments is in memory: they run only then. */
  ready?(context: RequestContext): Promise<void>

  /** Fills what decoding an object of this kind fills, before anyone is told who set which fields. Changes `object`. */
  setDefaults?(object: ApiObject): void
  /** Sets fields a client may not set and fills defaults that depend on the object. Changes `object`. */
  prepareForCreate?(object: ApiObject, context: RequestContext): void
  /** Rules beyond the schema. Empty: valid. */
  validate?(object: ApiObject, context: RequestContext): FieldError[]
  warningsOnCreate?(object: ApiObject, context: RequestContext): string[]
  /** Brings a valid object into its one stored form. Changes `object`. */
  canonicalize?(object: ApiObject): void

  /** Makes what has to be there with a new object before its creator is answered; not for a dry run. An error is the
   *  answer although the object is stored. */
  afterCreate?(created: ApiObject, context: RequestContext): Promise<void>

  /** Changes `next`, never `old`. */
  prepareForUpdate?(next: ApiObject, old: ApiObject, context: RequestContext): void
  validateUpdate?(next: ApiObject, old: ApiObject, context: RequestContext): FieldError[]
  /** In place of both: all that is wrong, with what was found before. What the schema found does not refuse by itself
   *  then, and prepareForCreate and prepareForUpdate see objects that it does not hold for, but for their metadata.
   *  `old` undefined: the object is new. */
  validateAfter?(found: FoundErrors, next: ApiObject, old: ApiObject | undefined): FieldError[]
  warningsOnUpdate?(next: ApiObject, old: ApiObject, context: RequestContext): string[]

  /** May refuse a deletion by throwing a StatusError. */
  validateDelete?(object: ApiObject, context: RequestContext): void
  /** The object has finalizers of its own beside metadata.finalizers, so it stays until they are gone. */
  holdsDeletion?(object: ApiObject): boolean
  /** Changes `object`, which was just marked for deletion. */
  markDeleted?(object: ApiObject): void
  /** Seconds of grace for a deletion that begins, where the client asks for `requestedSeconds`; 0: it ends at once, and
   *  watchers see the object marked before it is gone. Absent: deletions have no grace. */
  gracefulDelete?(
    object: ApiObject,
    requestedSeconds: number | undefined,
    isThere: ObjectLookup,
  ): number
  /** Nobody is left who would end the deletion that goes on: the next request does. Absent: never. */
  hasLostGrace?(object: ApiObject, isThere: ObjectLookup): boolean

  /** What the creator alone is shown and nothing stores: changes `created`, a copy of the stored object.
   *  `prepared` is the object as prepareForCreate left it. */
  revealToCreator?(created: ApiObject, prepared: ApiObject): void
}

/** Whether an object of another kind is stored in the same plane. */
export type ObjectLookup = (
  resource: GroupResource,
  target: { namespace: string; name: string },
) => boolean

/** What is wrong with an object by its metadata, and by its schema. */
export interface FoundErrors {
  metadata: readonly FieldError[]
  schema: readonly FieldError[]
}

export type NameRule = 'subdomain' | 'label' | 'dns1035' | 'pathSegment'
