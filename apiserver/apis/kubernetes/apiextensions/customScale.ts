import { isObject } from '../../../meta/json/isObject.ts'
import { badRequest, internalError, plainError } from '../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import {
  applyPatchType,
  jsonPatchType,
  mergePatchType,
  type AnsweredSubresource,
} from '../../../registry/resource.ts'
import type { ResourceAddress } from '../../../customResources/customResource.ts'
import type { ScalePaths } from '../../../customResources/definition.ts'
import {
  nestedInteger,
  nestedString,
  pathSteps,
  type NestedField,
} from '../../../customResources/nestedField.ts'
import type { AnswerRequest } from '../../../registry/answers.ts'
import { asParent, checkUid, replicasOf, scaleKind, type Transform } from '../autoscaling/scale.ts'
import {
  hasPath,
  mutatedByApply,
  mutatedScale,
  validateScale,
  type ScaleWrite,
} from '../autoscaling/reviewedScale.ts'
import type { KindContext } from '../builtInKind.ts'

/**
 * Scale of a custom kind, whose definition contains the paths of the counts. Source: Kubernetes documentation, "Scale
 * subresource".
 */
export function customScale(
  { types, access }: KindContext,
  paths: ScalePaths,
  of: ResourceAddress,
): AnsweredSubresource {
  const subject = { group: of.group, resource: of.plural }
  const store = () => access.versionStore(of)
  const written = async (request: AnswerRequest, transform: Transform) => {
    const { bytes } = await store().update(request, { transform }, request)
    return scaleOf(JSON.parse(bytes.toString()) as ApiObject, paths) // bytes written by the store
  }
  const scaled = scaledFields(paths)
  const [countPath = []] = scaled
  const writeOf = (old: ApiObject): ScaleWrite => ({
    old,
    scaleOf: (parent) => scaleOf(parent, paths),
    countPath,
  })
  const resource = {
    ...scaleKind(types, of.plural, {
      current: async (request) => patchedScale(await store().durable(request), paths),
      get: async (request) => {
        const object = await store().durable(request)
        const scale = scaleOf(object, paths)
        if (nestedInteger(object, paths.specReplicasPath).value !== undefined) return scale
        throw internalError(`the spec replicas field "${paths.specReplicasPath}" does not exist`)
      },
      isReviewing: true,
      update: (sent, request) =>
        written(request, async (old) => {
          const write = writeOf(old)
          const scale = await mutatedScale(sent, write, request)
          checkUid(scale, old, subject)
          checkNamespace(scale, old)
          scaleOf(old, paths)
          const next = withReplicas(old, scale, paths)
          // A count that is not set has no field manager.
          const managed = isOwned(old, scaled) ? request.parent?.updated(old, next, scaled) : next
          return validateScale(managed ?? next, write, request)
        }),
      apply: (config, request) =>
        written(request, async (old) => {
          checkUid(config, old, subject)
          checkNamespace(config, old)
          if (!hasReplicas(config)) return old
          const write = writeOf(old)
          const parent = asParent(config, old, (replicas) => nested(paths, replicas))
          const applied = request.parent?.applied(old, parent, scaled) ?? old
          const scale = await mutatedByApply(applied, write, request)
          const isChanged = replicasOf(scale) !== replicasOf(scaleOf(applied, paths))
          const next = isChanged ? withReplicas(applied, scale, paths) : applied
          return validateScale(next, write, request)
        }),
    }),
    patchTypes: [jsonPatchType, mergePatchType, applyPatchType],
  }
  return { name: 'scale', verbs: ['get', 'patch', 'update'], resource }
}

/** @throws StatusError 400 */
function checkNamespace({ metadata }: ApiObject, old: ApiObject): void {
  const { namespace = '' } = metadata
  if (namespace === '' || namespace === old.metadata.namespace) return
  throw badRequest(
    'the namespace of the provided object does not match the namespace sent on the request',
  )
}

function hasReplicas({ spec }: ApiObject): boolean {
  return isObject(spec) && spec['replicas'] !== undefined
}

/**
 * Reports whether a manager owns a field that a scale writes. Source: seen on kube-apiserver
 * 1.37.2.
 */
function isOwned({ metadata }: ApiObject, [path = []]: readonly string[][]): boolean {
  return (metadata.managedFields ?? []).some(({ fieldsV1 }) => hasPath(fieldsV1, path))
}

/**
 * Placeholder for a missing count: a patch replaces it, and writing it back is refused. It is the
 * smallest 32-bit integer.
 * Source: the real server's answers.
 */
const noReplicas = -(2 ** 31)

function patchedScale(object: ApiObject, paths: ScalePaths): ApiObject {
  const scale = scaleOf(object, paths)
  const hasReplicas = nestedInteger(object, paths.specReplicasPath).value !== undefined
  return hasReplicas ? scale : { ...scale, spec: { replicas: noReplicas } }
}

/**
 * Scale of an object. @throws StatusError without a reason if one of the fields it is derived from has another type.
 */
function scaleOf(object: ApiObject, paths: ScalePaths): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = paths
  const replicas = found(nestedInteger(object, specReplicasPath)) ?? 0
  const current = found(nestedInteger(object, statusReplicasPath)) ?? 0
  const selector =
    labelSelectorPath === '' ? undefined : found(nestedString(object, labelSelectorPath))
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    // Objects read from storage have all of these fields.
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as ApiObject['metadata'],
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: current,
      ...(selector === undefined || selector === '' ? {} : { selector }),
    },
  }
}

function found<Value>({ value, error }: NestedField<Value>): Value | undefined {
  if (error !== undefined) throw plainError(error)
  return value
}

function withReplicas(
  old: ApiObject,
  scale: ApiObject,
  { specReplicasPath }: ScalePaths,
): ApiObject {
  const replicas = replicasOf(scale)
  if (replicas === noReplicas) {
    throw badRequest(`the spec replicas field "${specReplicasPath}" cannot be empty`)
  }
  const next = structuredClone(old)
  setAt(next, pathSteps(specReplicasPath), replicas)
  const { resourceVersion = '' } = scale.metadata
  if (resourceVersion !== '') next.metadata.resourceVersion = resourceVersion
  return next
}

/** Fields written through the scale of an object, as named in managed fields. */
function scaledFields({ specReplicasPath }: ScalePaths): string[][] {
  return [pathSteps(specReplicasPath).map((name) => `f:${name}`)]
}

function nested({ specReplicasPath }: ScalePaths, replicas: number): Record<string, unknown> {
  const content = {}
  setAt(content, pathSteps(specReplicasPath), replicas)
  return content
}

function setAt(object: Record<string, unknown>, path: readonly string[], count: number): void {
  const names = [...path]
  const last = names.pop() ?? ''
  let parent = object
  for (const name of names) {
    const next = parent[name]
    const own = isObject(next) ? next : {}
    parent[name] = own
    parent = own
  }
  parent[last] = count
}
