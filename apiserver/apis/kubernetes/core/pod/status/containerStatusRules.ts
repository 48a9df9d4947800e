import {
  duplicateField,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  tooLongField,
  type FieldError,
} from '../../../../../meta/fieldErrors.ts'
import { between, errorIf } from '../../../../fieldChecks.ts'
import type { Container, ContainerStatus, PodSpec } from '../../../shapes/coreV1.ts'
import type { Pod } from '../podTypes.ts'

/** The lists of a status, with their containers. */
const lists = {
  containerStatuses: 'containers',
  initContainerStatuses: 'initContainers',
  ephemeralContainerStatuses: undefined,
} as const

const names = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const
const endedText = 'may not be transitioned to non-terminated state'

/** Errors for terminated containers that run again without a restart. Source: seen on kube-apiserver 1.37.2. */
export function transitionErrors({ status: next }: Pod, { status: old, spec }: Pod): FieldError[] {
  return names.flatMap((name) => {
    const list = lists[name]
    if (list !== undefined && restartsAll(spec)) return []
    return (old[name] ?? []).flatMap((before, index) => {
      const ended = before.state?.terminated
      const after = next[name]?.find((one) => one.name === before.name)
      if (ended === undefined || after === undefined || after.state?.terminated) return []
      const container = list && spec[list]?.find((one) => one.name === before.name)
      const isStarted = container !== undefined && restarts(container, spec, ended.exitCode ?? 0)
      return errorIf(!isStarted, () => forbiddenField(`status.${name}[${index}].state`, endedText))
    })
  })
}

function restartsAll({ containers, initContainers = [] }: PodSpec): boolean {
  return [...(containers ?? []), ...initContainers].some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'),
  )
}

/**
 * Reports whether a container is restarted: its own rules take precedence over its policy, which
 * takes precedence over the policy of the pod.
 */
function restarts(container: Container, spec: PodSpec, exitCode: number): boolean {
  const { restartPolicy = spec.restartPolicy, restartPolicyRules = [] } = container
  const isMet = restartPolicyRules.some(({ exitCodes: { operator, values = [] } = {} }) =>
    operator === 'In'
      ? values.includes(exitCode)
      : operator === 'NotIn' && !values.includes(exitCode),
  )
  if (container.restartPolicy !== undefined && isMet) return true
  return restartPolicy === 'OnFailure' ? exitCode !== 0 : restartPolicy !== 'Never'
}

const userIds = [0, 4294967295] as const
const groupIds = [0, 2147483647] as const

/** Errors for the users in container statuses. */
export function userErrors({ status, spec: { os } }: Pod): FieldError[] {
  return names.flatMap((name) =>
    (status[name] ?? []).flatMap(({ user }, index) => {
      const { linux } = user ?? {}
      if (linux === undefined) return []
      const path = `status.${name}[${index}].user.linux`
      if (os?.name === 'windows') return [forbiddenField(path, 'cannot be set for a windows pod')]
      return [
        ...between(`${path}.uid`, linux.uid, userIds),
        ...between(`${path}.gid`, linux.gid, groupIds),
        ...(linux.supplementalGroups ?? []).flatMap((id, at) =>
          between(`${path}.supplementalGroups[${at}]`, id, groupIds),
        ),
      ]
    }),
  )
}

type Allocated = NonNullable<ContainerStatus['allocatedResourcesStatus']>[number]

/** Errors for the device status of containers. */
export function allocationErrors(pod: Pod): FieldError[] {
  return names.flatMap((name) => {
    const list = lists[name]
    return (pod.status[name] ?? []).flatMap((one, index) => {
      const path = `status.${name}[${index}].allocatedResourcesStatus`
      const { allocatedResourcesStatus: given = [] } = one
      if (list === undefined) {
        const detail = 'must not be specified in container status'
        return errorIf(given.length > 0, () => forbiddenField(path, detail))
      }
      const container = pod.spec[list]?.find((other) => other.name === one.name)
      return given.flatMap((resource, at) => [
        ...(container === undefined
          ? []
          : allocatedNameErrors(`${path}[${at}].name`, resource.name ?? '', { container, pod })),
        ...healthErrors(`${path}[${at}].resources`, resource),
      ])
    })
  })
}

const claimText =
  "must match one of the container's resource claims as 'claim:<claimName>/<requestName>' when container.resources.claims[*].request is set or 'claim:<claimName>' when it is empty"
const requestText = "must match one of the container's resource requests"

function allocatedNameErrors(
  path: string,
  name: string,
  { container, pod }: { container: Container; pod: Pod },
): FieldError[] {
  const { claims = [], requests = {} } = container.resources ?? {}
  if (!name.startsWith('claim:')) {
    return errorIf(!Object.hasOwn(requests, name), () => invalidField(path, name, requestText))
  }
  const own = claims.map(({ name: claim = '', request = '' }) => claimKey(claim, request))
  const { resourceClaimName = '', requestMappings } = pod.status.extendedResourceClaimStatus ?? {}
  const mapped = (requestMappings ?? [])
    .filter(({ containerName }) => containerName === container.name)
    .map(({ requestName = '' }) => claimKey(resourceClaimName, requestName))
  return errorIf(![...own, ...mapped].includes(name), () => invalidField(path, name, claimText))
}

function claimKey(claim: string, request: string): string {
  return request === '' ? `claim:${claim}` : `claim:${claim}/${request}`
}

const healths = ['Healthy', 'Unhealthy', 'Unknown']
const maxMessageBytes = 1024

function healthErrors(path: string, { resources = [] }: Allocated): FieldError[] {
  const taken = new Set<string>()
  return resources.flatMap(({ resourceID: id = '', health = '', message }, index) => {
    const at = `${path}[${index}]`
    const isRepeated = taken.has(id)
    taken.add(id)
    return [
      ...errorIf(!healths.includes(health), () =>
        notSupportedField(`${at}.health`, health, healths),
      ),
      ...errorIf(message === '', () =>
        requiredField(`${at}.message`, 'must be non-empty if specified'),
      ),
      ...errorIf(Buffer.byteLength(message ?? '') > maxMessageBytes, () =>
        tooLongField(`${at}.message`, maxMessageBytes),
      ),
      ...errorIf(isRepeated, () => duplicateField(`${at}.resourceID`, id)),
    ]
  })
}
