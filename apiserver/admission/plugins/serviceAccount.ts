import { asPod } from '../../apis/kubernetes/core/pod/podTypes.ts'
import type { Container, PodSpec, Volume } from '../../apis/kubernetes/shapes/coreV1.ts'
import { generateName } from '../../meta/names/nameGenerator.ts'
import { pathSegmentErrors } from '../../meta/names/nameValidation.ts'
import type { Clock, Random } from '../../meta/clock.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { forbidden } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { AdmissionRequest } from '../../registry/admission.ts'
import { groupResource } from '../../registry/resource.ts'
import type { AdmissionPlugin } from '../admissionPlugin.ts'
import type { PlaneObjects } from '../planeObjects.ts'
import { isTarget, podsCreated } from './podTarget.ts'

interface Account extends ApiObject {
  automountServiceAccountToken?: boolean
  imagePullSecrets?: { name?: string }[]
}

export interface ServiceAccountOptions {
  objects: PlaneObjects
  clock: Clock
  random: Random
}

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount'
const volumePrefix = 'kube-api-access-'
const mirror = 'kubernetes.io/config.mirror'
/**
 * Number of attempts to find the default account, which a controller creates soon after the
 * namespace.
 */
const attempts = 10
const pauseMs = 100

/**
 * Sets the service account of pods, and mounts its token unless the account or the pod opts out.
 * Source: Kubernetes, ServiceAccount.
 */
export function serviceAccount(options: ServiceAccountOptions): AdmissionPlugin {
  return {
    name: 'ServiceAccount',
    handles: (target) => isTarget(target, podsCreated),
    mutate: async (request) => {
      const { object } = request
      if (object === undefined || isMirror(object)) return
      const spec = (asPod(object).spec ??= {})
      const { serviceAccountName: asked = '' } = spec
      const name = asked === '' ? 'default' : asked
      spec.serviceAccountName = name
      spec.serviceAccount = name
      const account = await accountOf(request, spec, options)
      takeOver(account, spec, options.random)
    },
    validate: async (request) => {
      const { object } = request
      if (object === undefined) return
      const spec = asPod(object).spec ?? {}
      if (isMirror(object)) refuseMirror(request, spec)
      else await accountOf(request, spec, options)
    },
  }
}

/** Applies the defaults of the service account to a pod. */
function takeOver(account: Account, spec: PodSpec, random: Random): void {
  if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) {
    mountToken(spec, random)
  }
  const { imagePullSecrets: pullSecrets = [] } = account
  const hasOwn = (spec.imagePullSecrets ?? []).length > 0
  if (!hasOwn && pullSecrets.length > 0) spec.imagePullSecrets = structuredClone(pullSecrets)
}

function isMirror({ metadata }: ApiObject): boolean {
  return metadata.annotations?.[mirror] !== undefined
}

function refuseMirror({ resource, name }: AdmissionRequest, spec: PodSpec): void {
  const refuse = (why: string) => forbidden(groupResource(resource), name, why)
  if ((spec.serviceAccountName ?? '') !== '') {
    throw refuse('a mirror pod may not reference service accounts')
  }
  const projectsToken = (spec.volumes ?? []).some((volume) => {
    return (volume.projected?.sources ?? []).some((source) => 'serviceAccountToken' in source)
  })
  if (projectsToken) {
    throw refuse('a mirror pod may not use ServiceAccountToken volume projections')
  }
}

/** Finds the service account, with retries. @throws StatusError Forbidden if it does not exist. */
async function accountOf(
  { namespace, resource, name: pod }: AdmissionRequest,
  { serviceAccountName: name = '' }: PodSpec,
  { objects, clock }: ServiceAccountOptions,
): Promise<Account> {
  for (let attempt = 1; ; attempt++) {
    const found = objects.get({ group: '', resource: 'serviceaccounts' }, namespace, name)
    if (found !== undefined) return found
    if (attempt === attempts) break
    await new Promise<void>((resolve) => void clock.setTimer(resolve, pauseMs))
  }
  const [problem] = pathSegmentErrors(name)
  // Only valid names are looked up.
  const reason =
    problem === undefined
      ? `serviceaccount ${goQuote(name)} not found`
      : `invalid resource name ${goQuote(name)}: [${problem}]`
  const why = `error looking up service account ${namespace}/${name}: ${reason}`
  throw forbidden(groupResource(resource), pod, why)
}

/** Adds a mount to every container without one at the path, and the volume to the pod. */
function mountToken(spec: PodSpec, random: Random): void {
  const volumes = spec.volumes ?? []
  const known = volumes.find(
    ({ name = '', projected }) => projected !== undefined && name.startsWith(volumePrefix),
  )
  const name = known?.name ?? generateName(volumePrefix, random)
  const all: Container[] = [...(spec.initContainers ?? []), ...(spec.containers ?? [])]
  const without = all.filter(
    ({ volumeMounts = [] }) => !volumeMounts.some((mount) => mount.mountPath === mountPath),
  )
  for (const container of without) {
    container.volumeMounts = [
      ...(container.volumeMounts ?? []),
      { name, readOnly: true, mountPath },
    ]
  }
  if (known === undefined && without.length > 0) spec.volumes = [...volumes, tokenVolume(name)]
}

function tokenVolume(name: string): Volume {
  const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.namespace' }
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [{ path: 'namespace', fieldRef }] } },
      ],
      defaultMode: 420,
    },
  }
}
