import type { NamesProfile } from './namesProfile.ts'

/** The annotation of a space's namespace with the space's uid. */
export function spaceMark({ domain }: Pick<NamesProfile, 'domain'>): string {
  return `${domain}/space-uid`
}

/** The annotation of a virtual cluster's host namespace with the uid of its instance. */
export function instanceMark({ domain }: Pick<NamesProfile, 'domain'>): string {
  return `${domain}/vcluster-uid`
}

/**
 * Reports whether the platform or the cluster itself may create the namespace later: a user who
 * created it earlier would have access to it.
 */
export function isReservedNamespace(
  namespace: string,
  { platform }: Pick<NamesProfile, 'platform'>,
): boolean {
  return [`${platform}-`, 'kube-'].some((start) => namespace.startsWith(start))
}
