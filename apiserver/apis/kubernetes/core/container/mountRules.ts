import {
  forbiddenField,
  invalidField,
  notFoundField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import {
  errorIf,
  given,
  noBacksteps,
  oneOf,
  optionalChoice,
  pathBelow,
} from '../../../fieldChecks.ts'
import { repeats } from '../../../../meta/collections/repeats.ts'
import type { Container, Volume, VolumeMount } from '../../shapes/coreV1.ts'

const propagations = ['Bidirectional', 'HostToContainer', 'None']
const readOnlyModes = ['Disabled', 'Enabled', 'IfPossible']

/**
 * Errors for volume mounts. `volumes`: the available volumes, by name. Source: Kubernetes API
 * reference, VolumeMount v1.
 */
export function mountErrors(
  path: string,
  container: Container,
  volumes: ReadonlyMap<string, Volume>,
): FieldError[] {
  const { volumeMounts = [], volumeDevices = [] } = container
  const isRepeated = repeats(volumeMounts.map(({ mountPath = '' }) => mountPath))
  const devices = new Set(volumeDevices.map(({ devicePath = '' }) => devicePath))
  const deviceNames = new Set(volumeDevices.map((device) => device.name ?? ''))
  return volumeMounts.flatMap((mount, index) => {
    const { name = '', mountPath = '' } = mount
    const at = `${path}[${index}]`
    const unique = (isTaken: boolean, detail: string) =>
      isTaken ? [invalidField(`${at}.mountPath`, mountPath, detail)] : []
    return [
      ...given(`${at}.name`, name),
      ...(volumes.has(name) ? [] : [notFoundField(`${at}.name`, name)]),
      ...given(`${at}.mountPath`, mountPath),
      ...unique(isRepeated[index] === true, 'must be unique'),
      ...errorIf(deviceNames.has(name), () =>
        invalidField(`${at}.name`, name, 'must not already exist in volumeDevices'),
      ),
      ...unique(devices.has(mountPath), 'must not already exist as a path in volumeDevices'),
      ...wayErrors(path, mount, { container, at }),
    ]
  })
}

/**
 * Errors for the kind of mount. Most of their paths do not contain the index of the mount, as in
 * kube-apiserver.
 */
function wayErrors(
  path: string,
  mount: VolumeMount,
  { container: { securityContext }, at }: { container: Container; at: string },
): FieldError[] {
  const { subPath = '', subPathExpr = '', mountPropagation } = mount
  const isOpen = mountPropagation === 'Bidirectional' && securityContext?.privileged !== true
  const both = subPath !== '' && subPathExpr !== ''
  const openText = 'Bidirectional mount propagation is available only to privileged containers'
  return [
    ...pathBelow(`${path}.subPath`, subPath),
    ...(both
      ? [
          invalidField(
            `${at}.subPathExpr`,
            subPathExpr,
            'subPathExpr and subPath are mutually exclusive',
          ),
        ]
      : []),
    ...pathBelow(`${path}.subPathExpr`, subPathExpr),
    ...optionalChoice(`${path}.mountPropagation`, mountPropagation, propagations),
    ...(isOpen ? [forbiddenField(`${path}.mountPropagation`, openText)] : []),
    ...readOnlyErrors(`${path}.recursiveReadOnly`, mount),
  ]
}

function readOnlyErrors(
  path: string,
  { readOnly, recursiveReadOnly: mode = 'Disabled', mountPropagation = 'None' }: VolumeMount,
): FieldError[] {
  if (mode === 'Disabled') return []
  if (!readOnlyModes.includes(mode)) return oneOf(path, mode, readOnlyModes)
  return [
    ...(readOnly === true
      ? []
      : [forbiddenField(path, 'may only be specified when readOnly is true')]),
    ...(mountPropagation === 'None'
      ? []
      : [
          forbiddenField(
            path,
            'may only be specified when mountPropagation is None or not specified',
          ),
        ]),
  ]
}

const blockText =
  'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'

/** Errors for volume devices. Source: Kubernetes API reference, VolumeDevice v1. */
export function deviceErrors(
  path: string,
  { volumeDevices = [], volumeMounts = [] }: Container,
  volumes: ReadonlyMap<string, Volume>,
): FieldError[] {
  const isNameRepeated = repeats(volumeDevices.map(({ name = '' }) => name))
  const isPathRepeated = repeats(volumeDevices.map(({ devicePath = '' }) => devicePath))
  const mounted = new Set(volumeMounts.map(({ name = '' }) => name))
  const paths = new Set(volumeMounts.map(({ mountPath = '' }) => mountPath))
  return volumeDevices.flatMap(({ name = '', devicePath = '' }, index) => {
    const at = `${path}[${index}]`
    const volume = volumes.get(name)
    const isBlock = volume?.['persistentVolumeClaim'] ?? volume?.['ephemeral']
    const refuse = (isWrong: boolean, field: 'name' | 'devicePath', detail: string) =>
      isWrong ? [invalidField(`${at}.${field}`, field === 'name' ? name : devicePath, detail)] : []
    return [
      ...given(`${at}.name`, name),
      ...refuse(isNameRepeated[index] === true, 'name', 'must be unique'),
      ...refuse(volume !== undefined && isBlock === undefined, 'name', blockText),
      ...(volume === undefined ? [notFoundField(`${at}.name`, name)] : []),
      ...given(`${at}.devicePath`, devicePath),
      ...refuse(isPathRepeated[index] === true, 'devicePath', 'must be unique'),
      ...refuse(
        noBacksteps('', devicePath).length > 0,
        'devicePath',
        "can not contain backsteps ('..')",
      ),
      ...refuse(mounted.has(name), 'name', 'must not already exist in volumeMounts'),
      ...refuse(
        paths.has(devicePath),
        'devicePath',
        'must not already exist as a path in volumeMounts',
      ),
    ]
  })
}
