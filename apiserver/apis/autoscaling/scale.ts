import { conflict, invalid } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { AnsweredSubresource } from '../../registry/resource.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { notNegative } from '../fieldChecks.ts'

export interface ScaleTarget {
  group: string
  plural: string
  /** The text of the selector of an object's pods. */
  selector: (object: ApiObject) => string
}

interface Scaled {
  spec?: { replicas?: number }
  status?: { replicas?: number }
}

/** The number of replicas of an object as a kind of its own. Source: Kubernetes API reference, Scale v1. */
export function scaleSubresource(
  { types, access }: KindContext,
  { group, plural, selector }: ScaleTarget,
): AnsweredSubresource {
  const subject = { group, resource: plural }
  const scaleOf = (object: ApiObject) => toScale(object, selector(object))
  const resource = builtInKind(types, {
    group: 'autoscaling',
    version: 'v1',
    plural,
    kind: 'Scale',
    namespaced: true,
    description: 'Scale is how many replicas an object wants and has.',
    verbs: ['get', 'update', 'patch'],
    strategy: {},
    answers: {
      get: (request) => scaleOf(access.store(subject).newest(request).object),
      update: async (scale, request) => {
        const replicas = wantedReplicas(scale)
        const transform = (old: ApiObject) => {
          checkUid(scale, old, subject)
          return withReplicas(old, replicas, scale.metadata.resourceVersion ?? '')
        }
        const { bytes } = await access.store(subject).update(request, { transform }, request)
        return scaleOf(JSON.parse(bytes.toString()) as ApiObject)
      },
    },
  })
  return { name: 'scale', verbs: ['get', 'update', 'patch'], resource }
}

function toScale(object: ApiObject, selector: string): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  // The schemas of kinds with a scale have both counts.
  const { spec, status } = object as Scaled
  const replicas = spec?.replicas ?? 0
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    // What an object that was read from storage has.
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as ApiObject['metadata'],
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: status?.replicas ?? 0, ...(selector === '' ? {} : { selector }) },
  }
}

/** @throws StatusError Invalid. */
function wantedReplicas(scale: ApiObject): number {
  // The schema of Scale says so.
  const replicas = (scale as Scaled).spec?.replicas ?? 0
  const errors = notNegative('spec.replicas', replicas)
  if (errors.length === 0) return replicas
  throw invalid({ group: 'autoscaling', kind: 'Scale' }, scale.metadata.name ?? '', errors)
}

function checkUid(scale: ApiObject, old: ApiObject, subject: ScaleSubject): void {
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
