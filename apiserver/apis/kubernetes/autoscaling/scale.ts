import { StatusError } from '../../../meta/status.ts'
import { badRequest, conflict, invalid } from '../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { AnswerRequest, Answers } from '../../../registry/answers.ts'
import type { AnsweredSubresource, Column, ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import type { BuiltInTypes } from '../builtInTypes.ts'
import { countColumn } from '../../columns.ts'
import { notNegative } from '../../fieldChecks.ts'
import { mutatedByApply, mutatedScale, validateScale } from './reviewedScale.ts'

export interface ScaleTarget {
  group: string
  plural: string
  /** The label selector of an object's pods, as a string. */
  selector: (object: ApiObject) => string
}

interface Scaled {
  spec?: { replicas?: number }
  status?: { replicas?: number }
}

/** Number of replicas of an object as a separate kind. Source: Kubernetes API reference, Scale v1. */
export function scaleSubresource(
  { types, access }: KindContext,
  { group, plural, selector }: ScaleTarget,
): AnsweredSubresource {
  const subject = { group, resource: plural }
  const scaleOf = (object: ApiObject) => toScale(object, selector(object))
  const written = async (request: AnswerRequest, transform: Transform) => {
    const { bytes } = await access
      .of(request)
      .store(subject)
      .update(request, { transform }, request)
    return scaleOf(JSON.parse(bytes.toString()) as ApiObject)
  }
  const resource = scaleKind(
    types,
    plural,
    {
      get: async (request) => scaleOf(await access.of(request).store(subject).durable(request)),
      isReviewing: true,
      update: (sent, request) =>
        written(request, async (old) => {
          const write = { old, scaleOf, countPath }
          const scale = await mutatedScale(sent, write, request)
          const replicas = wantedReplicas(scale)
          checkUid(scale, old, subject)
          const next = withReplicas(old, replicas, scale.metadata.resourceVersion ?? '')
          const managed = request.parent?.updated(old, next, [countPath]) ?? next
          return validateScale(managed, write, request)
        }),
      apply: (config, request) =>
        written(request, async (old) => {
          checkUid(config, old, subject)
          const write = { old, scaleOf, countPath }
          const parentConfig = asParent(config, old, (replicas) => ({ spec: { replicas } }))
          const apply = () => request.parent?.applied(old, parentConfig, [countPath])
          const applied = inWordsOfScale(old, apply) ?? old
          const replicas = wantedReplicas(await mutatedByApply(applied, write, request))
          const isChanged = replicas !== replicasOf(applied)
          const next = isChanged ? withReplicas(applied, replicas, '') : applied
          return validateScale(next, write, request)
        }),
    },
    scaleColumns,
  )
  return { name: 'scale', verbs: ['get', 'update', 'patch'], resource }
}

/** Kind of a scale, with its own responses. */
export function scaleKind(
  types: BuiltInTypes,
  plural: string,
  answers: Answers,
  columns?: readonly Column[],
): ResourceDefinition {
  return builtInKind(types, {
    group: 'autoscaling',
    version: 'v1',
    plural,
    kind: 'Scale',
    namespaced: true,
    description: 'Scale is the desired and the current number of replicas of an object.',
    verbs: ['get', 'update', 'patch'],
    strategy: {},
    ...(columns === undefined ? {} : { columns }),
    answers,
  })
}

/** Columns of scale tables. Source: observed kubectl output of `get --subresource=scale`. */
const scaleColumns = [
  // The real server sets no format for this column.
  { ...nameColumn, format: '' },
  countColumn('Desired', 'spec.replicas', 'Desired number of replicas.'),
  countColumn('Available', 'status.replicas', 'Current number of replicas.'),
  ageColumn,
]

/** Field of the parent written through its scale. */
const countPath = ['f:spec', 'f:replicas']

/** Computes the parent after a write, from a copy of it. */
export type Transform = (old: ApiObject) => ApiObject | Promise<ApiObject>

/** Applies a configuration of a scale to its parent; `content` sets the replicas.
 *  @throws StatusError BadRequest, Invalid. */
export function asParent(
  config: ApiObject,
  { kind, apiVersion }: ApiObject,
  content: (replicas: number) => Record<string, unknown>,
): ApiObject {
  checkScaleType(config)
  const { name, namespace, resourceVersion } = config.metadata
  const isGiven = (config as Scaled).spec?.replicas !== undefined
  const spec = isGiven ? content(wantedReplicas(config)) : {}
  const metadata = {
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  }
  return { kind, apiVersion, metadata, ...spec }
}

/**
 * Runs an apply. A conflict error names the version of the scale rather than that of its parent.
 * Source: seen on kube-apiserver 1.37.2.
 */
function inWordsOfScale<T>({ apiVersion }: ApiObject, apply: () => T): T {
  try {
    return apply()
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 409) throw error
    const said = (text: string) => text.replaceAll(`using ${apiVersion}`, 'using autoscaling/v1')
    const causes = (error.details?.causes ?? []).map((cause) => ({
      ...cause,
      message: said(cause.message ?? ''),
    }))
    const details = { ...error.details, causes }
    throw new StatusError(error.code, error.reason, said(error.message), { details, cause: error })
  }
}

/** Checks the type of a scale. Source: reference 3.13. */
function checkScaleType({ kind, apiVersion, metadata }: ApiObject): void {
  if (metadata.managedFields !== undefined) {
    throw badRequest('metadata.managedFields must be nil')
  }
  if (apiVersion !== 'autoscaling/v1') {
    throw badRequest(
      `Incorrect version specified in apply patch. Specified patch version: ${apiVersion}, expected: autoscaling/v1`,
    )
  }
  if (kind !== 'Scale') throw badRequest(`invalid object type: ${apiVersion}, Kind=${kind}`)
}

function toScale(object: ApiObject, selector: string): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  // Guaranteed by the schemas of kinds with a scale, which have both counts.
  const { spec, status } = object as Scaled
  const replicas = spec?.replicas ?? 0
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    // Objects read from storage have all of these fields.
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as ApiObject['metadata'],
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: status?.replicas ?? 0, ...(selector === '' ? {} : { selector }) },
  }
}

export function replicasOf(scale: ApiObject): number {
  // Guaranteed by the schema of Scale.
  return (scale as Scaled).spec?.replicas ?? 0
}

/** Requested number of replicas. @throws StatusError Invalid. */
function wantedReplicas(scale: ApiObject): number {
  const replicas = replicasOf(scale)
  const errors = notNegative('spec.replicas', replicas)
  if (errors.length === 0) return replicas
  throw invalid({ group: 'autoscaling', kind: 'Scale' }, scale.metadata.name ?? '', errors)
}

export function checkUid(scale: ApiObject, old: ApiObject, subject: ScaleSubject): void {
  const { uid } = scale.metadata
  if (uid === undefined || uid === '' || uid === old.metadata.uid) return
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid ?? ''}`
  throw conflict(subject, old.metadata.name ?? '', why)
}

interface ScaleSubject {
  group: string
  resource: string
}

function withReplicas(old: ApiObject, replicas: number, resourceVersion: string): ApiObject {
  const { spec } = old as Scaled
  const metadata = resourceVersion === '' ? old.metadata : { ...old.metadata, resourceVersion }
  return { ...old, metadata, spec: { ...spec, replicas } }
}
