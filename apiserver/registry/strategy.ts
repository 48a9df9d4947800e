import type { Steps } from '../meta/waiting/steps.ts'
import type { FieldError } from '../meta/fieldErrors.ts'
import type { ApiObject, GroupResource, UserInfo } from '../meta/types.ts'
import type { Review } from './review.ts'

/** The context of a hook's request. */
export interface RequestContext {
  user: UserInfo
  dryRun: boolean
  /** True if the server itself writes: the schema is not checked. Default false. */
  isTrusted?: boolean
  /**
   * Subresource that creates the object when it is written. Absent: a write of the object itself.
   */
  subresource?: string
  /** Adds a Warning header to the response. */
  warn: (text: string) => void
  /**
   * Waits before long work on this many bytes: resolves when it is the request's turn, after others had theirs.
   * Undefined, or absent: no wait.
   */
  turn?: (bytes: number) => Promise<void> | undefined
  /** Identifies the request's plane to kinds shared by several planes. Absent: the kinds belong to one plane. */
  plane?: object | undefined
  /** Details of a client's write for admission. Absent: the write is not reviewed. */
  review?: Review | undefined
}

/**
 * The customization of one kind. The generic store calls the hooks. Each is optional. Since an
 * update may run hooks several times, each is a pure function of its arguments, except for objects
 * that it modifies as documented.
 * Create: authorizeWrite → schema → prepareForCreate → validate → metadata → warningsOnCreate →
 * canonicalize. Update: authorizeWrite → schema → prepareForUpdate → metadata → validateUpdate →
 * warningsOnUpdate → canonicalize.
 * Source: reference 10.3.
 */
export interface Strategy {
  /** The syntax of names. Default `subdomain`. */
  nameRule?: NameRule
  /** False if a generated name is `generateName` without a random suffix. Default true. */
  hasSuffixes?: boolean
  /** Rules for metadata besides those of every kind. */
  metadata?: MetadataStrategy
  /** True if PUT to an unknown name creates. Default false. */
  allowCreateOnUpdate?: boolean
  /** True if PUT without a resourceVersion is accepted for any state. Default false. */
  allowUnconditionalUpdate?: boolean
  /**
   * The content whose change increments the generation; `content` is everything except metadata. `first`: the
   * generation is always 1. Default: spec.
   */
  generation?: 'spec' | 'specAndAnnotations' | 'content' | 'contentAndLabels' | 'first' | 'none'
  /**
   * Reports whether an update increments the generation even if the stored content is unchanged. Called before
   * anything is dropped. Default: it does not.
   */
  raisesGeneration?: (next: ApiObject, old: ApiObject) => boolean
  /**
   * True if a client's status is replaced: on create by an empty one, on update by the stored one; `onUpdate`: a new
   * object keeps its client's. Default true, if the schema has one.
   */
  resetsStatus?: boolean | 'onUpdate'
  /**
   * True if an update only changes metadata and status; other fields and the generation are
   * unchanged. Default false.
   */
  resetsContent?: boolean
  deletion?: DeletionStrategy
  /** True to report identical errors once. Default false. */
  tellsErrorsOnce?: boolean
  /**
   * Errors that are listed after all others, in this order, since kube-apiserver finds them by
   * declarative rules of the types (`+k8s:` markers in k8s.io/api), which it runs last. Default:
   * none.
   */
  declaredErrors?: readonly DeclaredError[]

  /**
   * Refuses a client's write by throwing a StatusError if its content needs a right besides the verb. `old` is absent
   * for a new object. Changes neither, and is not called for the server's own writes.
   */
  authorizeWrite?(
    next: ApiObject,
    old: ApiObject | undefined,
    context: RequestContext,
  ): Promise<void>

  /**
   * Name of the state, besides its own object, against which a write is checked, such as values that no two objects
   * share. Several servers serialize writes of one name and plane. Default: none.
   */
  spans?: string

  /** Resolves when data that hooks use besides their arguments is in memory; hooks run only then. */
  ready?(context: RequestContext): Promise<void>

  /** Applies defaults of decoding, before managed fields are recorded. Changes `object`. */
  setDefaults?(object: ApiObject): void
  /** Sets fields that a client may not set, and defaults that depend on the object. Changes `object`. */
  prepareForCreate?(object: ApiObject, context: RequestContext): void
  /** Validates beyond the schema. Empty: valid. */
  validate?(object: ApiObject, context: RequestContext): FieldError[]
  warningsOnCreate?(object: ApiObject, context: RequestContext): readonly string[]
  /** Makes a valid object canonical for storage. Changes `object`. */
  canonicalize?(object: ApiObject): void

  /**
   * Creates objects that have to exist with a new object before its creator gets the response; not called for a dry
   * run. An error is returned although the object is stored.
   */
  afterCreate?(created: ApiObject, context: RequestContext): Promise<void>

  /** Changes `next`, never `old`. */
  prepareForUpdate?(next: ApiObject, old: ApiObject, context: RequestContext): void
  /**
   * Errors of changes that are reported before `generateName` is validated by the name rule.
   * Default: none.
   */
  validateChanges?(next: ApiObject, old: ApiObject): FieldError[]
  validateUpdate?(next: ApiObject, old: ApiObject, context: RequestContext): FieldError[]
  /**
   * Replaces both validation hooks: returns all errors, given those already found. Errors of the schema then do not
   * refuse immediately, and prepareForCreate and prepareForUpdate see objects that violate it, except for their
   * metadata. `old` undefined: the object is new.
   */
  validateAfter?(
    found: FoundErrors,
    next: ApiObject,
    old: ApiObject | undefined,
    context: RequestContext,
  ): FieldError[]
  /**
   * Further errors of an object with the errors found by `validateAfter`, in steps between which others may have their
   * turn; other writes, too.
   */
  validateInSteps?(
    found: readonly FieldError[],
    next: ApiObject,
    old: ApiObject | undefined,
    context: RequestContext,
  ): Steps<FieldError[]>
  /** Errors that are reported beside the one for another kind in the body. Default: none. */
  foreignKindErrors?(object: ApiObject): readonly FieldError[]
  warningsOnUpdate?(next: ApiObject, old: ApiObject, context: RequestContext): readonly string[]

  /**
   * Adds values that only the creator sees and that are not stored: changes `created`, a copy of the stored object.
   * `prepared` is the object after prepareForCreate.
   */
  revealToCreator?(created: ApiObject, prepared: ApiObject): void
}

/**
 * Errors of a declarative rule: errors of a field with one of the reasons. The path has `[]` for
 * every index.
 */
export interface DeclaredError {
  field: string
  /** Default: any. */
  reasons?: readonly FieldError['reason'][]
  /** Reports whether an update runs the rule. Default: every one does. */
  isRun?: (next: ApiObject, old: ApiObject) => boolean
}

/** The customization of rules for metadata of one kind. */
export interface MetadataStrategy {
  /**
   * Syntax of `generateName` of a new object: the syntax of names, or of parts of a path. Default
   * `name`.
   */
  prefixRule?: 'name' | 'path'
  /**
   * Metadata errors that the kind reports again in an update: errors of changed fields, or all.
   * Default: none.
   */
  repeats?: 'changes' | 'all'
  /** True if an update validates `generateName` only as part of a path. Default false. */
  namesOnCreate?: boolean
  /**
   * Errors of the names of a new object, reported behind those of `nameRule` and before errors of other metadata.
   * Default: none.
   */
  nameErrors?: (object: ApiObject) => readonly FieldError[]
  /** True if finalizers have to be standard ones, or have a prefix with their owner. Default false. */
  qualifiedFinalizers?: boolean
  /** True if an update reports such finalizers after errors of names, and not before. Default false. */
  finalizersLast?: boolean
  /**
   * True if errors of a new object's metadata precede those of `validate`. Default false: they are
   * only reported if `validate` finds none.
   */
  reportedFirst?: boolean
}

/** Customization of deleting one kind. Pure, like the hooks of `Strategy`. */
export interface DeletionStrategy {
  /** Default propagation of a delete without a policy; `unsupported`: never adds garbage collection finalizers. */
  propagation?: 'background' | 'orphan' | 'unsupported'
  /** Warning to clients that delete without specifying what happens to dependents. Default: none. */
  warning?: string
  /** True if a delete responds with the object's last state rather than a Status. Default false. */
  returnsObject?: boolean
  /** True if preconditions are reported in the wording of the storage. Default false. */
  preconditionsInStorage?: boolean
  /** Refuses a deletion by throwing a StatusError. */
  validate?(object: ApiObject, context: RequestContext): void
  /** Reports whether the object has finalizers besides metadata.finalizers, which keep it until they are gone. */
  isHeld?(object: ApiObject): boolean
  /** Changes `object`, which was just marked for deletion. */
  mark?(object: ApiObject): void
  /**
   * Seconds of grace for a new deletion, given the client's `requestedSeconds`; 0: it ends at once, and watchers see
   * the object marked before it is gone. Absent: deletions have no grace.
   */
  graceSeconds?(
    object: ApiObject,
    requestedSeconds: number | undefined,
    isThere: ObjectLookup,
  ): number
  /**
   * Reports whether no controller is left to finish a deletion in progress, so that the next request finishes it.
   * Absent: never.
   */
  hasLostGrace?(object: ApiObject, isThere: ObjectLookup): boolean
}

/** Reports whether an object of another kind is stored in the same plane. */
export type ObjectLookup = (
  resource: GroupResource,
  target: { namespace: string; name: string },
) => boolean

/** Errors of an object's metadata and schema. */
export interface FoundErrors {
  metadata: readonly FieldError[]
  schema: readonly FieldError[]
}

/**
 * Syntax of names; `longName`: a subdomain whose maximum length is reported in bytes; `own`: the
 * kind validates them itself.
 */
export type NameRule = 'subdomain' | 'longName' | 'label' | 'dns1035' | 'pathSegment' | 'own'
