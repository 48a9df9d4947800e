import { isObject } from '../../meta/isObject.ts'
import { badRequest, internalError } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { AnsweredSubresource } from '../../registry/resource.ts'
import type { ResourceAddress } from '../../customResources/customResource.ts'
import type { ScalePaths } from '../../customResources/definition.ts'
import { checkUid, scaleKind, wantedReplicas } from '../autoscaling/scale.ts'
import type { KindContext } from '../builtInKind.ts'

/** The scale of a custom kind, whose definition says where the counts stand.
 *  Source: Kubernetes documentation, "Scale subresource". */
export function customScale(
  { types, access }: KindContext,
  paths: ScalePaths,
  of: ResourceAddress,
): AnsweredSubresource {
  const subject = { group: of.group, resource: of.plural }
  const resource = scaleKind(types, of.plural, {
    // An object that wants no count yet can be given one.
    current: (request) => scaleOf(access.versionStore(of).newest(request).object, paths),
    get: (request) => {
      const { object } = access.versionStore(of).newest(request)
      if (valueAt(object, paths.specReplicasPath) === undefined) {
        throw internalError(`the spec replicas field "${paths.specReplicasPath}" does not exist`)
      }
      return scaleOf(object, paths)
    },
    update: async (scale, request) => {
      const replicas = wantedReplicas(scale)
      const transform = (old: ApiObject) => {
        checkUid(scale, old, subject)
        const next = structuredClone(old)
        setAt(next, paths.specReplicasPath, replicas)
        const { resourceVersion = '' } = scale.metadata
        if (resourceVersion !== '') next.metadata.resourceVersion = resourceVersion
        return next
      }
      const written = await access.versionStore(of).update(request, { transform }, request)
      return scaleOf(JSON.parse(written.bytes.toString()) as ApiObject, paths) // the store's own bytes
    },
  })
  return { name: 'scale', verbs: ['get', 'patch', 'update'], resource }
}

function scaleOf(object: ApiObject, paths: ScalePaths): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const replicas = countAt(object, paths.specReplicasPath)
  const selector = paths.labelSelectorPath && valueAt(object, paths.labelSelectorPath)
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    // What an object that was read from storage has.
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as ApiObject['metadata'],
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: countAt(object, paths.statusReplicasPath),
      ...(typeof selector === 'string' && selector !== '' ? { selector } : {}),
    },
  }
}

/** @throws StatusError BadRequest where something else than a number stands there. */
function countAt(object: ApiObject, path: string): number {
  const value = valueAt(object, path) ?? 0
  if (typeof value === 'number') return value
  throw badRequest(`${path} accessor error: ${JSON.stringify(value)} is not a number`)
}

function steps(path: string): string[] {
  return path.replace(/^\./, '').split('.')
}

function valueAt(object: ApiObject, path: string): unknown {
  let value: unknown = object
  for (const name of steps(path)) value = isObject(value) ? value[name] : undefined
  return value
}

function setAt(object: Record<string, unknown>, path: string, count: number): void {
  const names = steps(path)
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
