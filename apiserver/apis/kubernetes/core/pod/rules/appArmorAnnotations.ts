import { isDeepStrictEqual } from 'node:util'
import type { AppArmorProfile } from '../../../shapes/coreV1.ts'
import { appArmorPrefix } from './podAnnotations.ts'
import { placedContainers } from '../containerPaths.ts'
import type { Pod } from '../podTypes.ts'

/** Profile in the deprecated annotation of a container; undefined: invalid. */
export function appArmorProfileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' }
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' }
  const file = annotation.startsWith('localhost/') ? annotation.slice('localhost/'.length) : ''
  return file === '' ? undefined : { type: 'Localhost', localhostProfile: file }
}

/**
 * Copies the profiles in annotations into the fields of new pods. Changes `pod`; returns the warnings.
 * Source: seen on kube-apiserver 1.37.2.
 */
export function takeAppArmorAnnotations({ metadata, spec }: Pod): string[] {
  const { annotations = {} } = metadata
  if (spec.os?.name === 'windows') return []
  const ofPod = spec.securityContext?.appArmorProfile
  return placedContainers('spec', spec).flatMap(({ container }) => {
    const key = `${appArmorPrefix}${container.name ?? ''}`
    const annotation = annotations[key]
    if (annotation === undefined || container.securityContext?.appArmorProfile !== undefined) {
      return []
    }
    const profile = valid(appArmorProfileOf(annotation))
    if (profile !== undefined && isDeepStrictEqual(profile, ofPod)) return []
    if (profile !== undefined) {
      container.securityContext = { ...container.securityContext, appArmorProfile: profile }
    }
    return [appArmorWarning(`metadata.annotations[${key}]`)]
  })
}

export function appArmorWarning(path: string): string {
  return `${path}: deprecated since v1.30; use the "appArmorProfile" field instead`
}

const maxProfileBytes = 4095

function valid(profile: AppArmorProfile | undefined): AppArmorProfile | undefined {
  const file = profile?.localhostProfile ?? ''
  return file !== file.trim() || Buffer.byteLength(file) > maxProfileBytes ? undefined : profile
}
