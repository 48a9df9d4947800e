import {
  forbiddenField,
  invalidField,
  tooLongField,
  type FieldError,
} from '../../../../../meta/fieldErrors.ts'
import { subdomainErrors } from '../../../../../meta/names/nameValidation.ts'
import { errorIf } from '../../../../fieldChecks.ts'
import type { PodSpec } from '../../../shapes/coreV1.ts'
import { placedContainers } from '../containerPaths.ts'

/** Rules of pods that share namespaces of their host. Source: seen on kube-apiserver 1.37.2. */

const portText = 'must match `containerPort` when `hostNetwork` is true'

/**
 * Errors for host ports. `isPod`: host ports already have their defaults, which they lack in a
 * template.
 */
export function hostPortErrors(path: string, spec: PodSpec, isPod: boolean): FieldError[] {
  if (spec.hostNetwork !== true) return []
  return (spec.containers ?? []).flatMap(({ ports = [] }, at) =>
    ports.flatMap(({ hostPort = 0, containerPort = 0 }, index) =>
      errorIf((isPod || hostPort !== 0) && hostPort !== containerPort, () =>
        invalidField(`${path}.containers[${at}].ports[${index}].hostPort`, hostPort, portText),
      ),
    ),
  )
}

const sharedText = 'ShareProcessNamespace and HostPID cannot both be enabled'

export function sharedProcessErrors(path: string, spec: PodSpec): FieldError[] {
  return errorIf(spec.shareProcessNamespace === true && spec.hostPID === true, () =>
    invalidField(`${path}.shareProcessNamespace`, true, sharedText),
  )
}

const usersText = 'when `hostUsers` is false'

/**
 * Errors for pods with user namespaces. Two fields have the names of kube-apiserver's internal
 * types.
 */
export function hostUserErrors(path: string, spec: PodSpec): FieldError[] {
  if (spec.hostUsers !== false) return []
  const refuse = (isWrong: boolean, field: string) =>
    errorIf(isWrong, () => forbiddenField(field, usersText))
  return [
    ...refuse(spec.hostNetwork === true, `${path}.hostNetwork`),
    ...refuse(spec.hostPID === true, `${path}.HostPID`),
    ...refuse(spec.hostIPC === true, `${path}.HostIPC`),
    ...placedContainers(path, spec).flatMap(({ at, container }) =>
      refuse((container.volumeDevices ?? []).length > 0, `${at}.volumeDevices`),
    ),
  ]
}

/** Maximum length of a host name in bytes. */
const maxHostNameBytes = 64

export function hostNameErrors(path: string, spec: PodSpec): FieldError[] {
  const { hostnameOverride: name, setHostnameAsFQDN, hostNetwork } = spec
  if (name === undefined) return []
  const at = `${path}.hostnameOverride`
  const refuse = (isWrong: boolean, field: string) =>
    errorIf(isWrong, () => forbiddenField(at, `may not be specified when ${field} is true`))
  return [
    ...refuse(setHostnameAsFQDN === true, 'setHostnameAsFQDN'),
    ...refuse(hostNetwork === true, 'hostNetwork'),
    ...errorIf(Buffer.byteLength(name) > maxHostNameBytes, () =>
      tooLongField(at, maxHostNameBytes),
    ),
    ...subdomainErrors(name).map((text) => invalidField(at, name, text)),
  ]
}
