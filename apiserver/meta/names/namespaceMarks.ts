import type { NamesProfile } from './namesProfile.ts'

/** The annotation of a namespace that is a space: the space's uid. */
export function spaceMark({ domain }: Pick<NamesProfile, 'domain'>): string {
  return `${domain}/space-uid`
}

/** The annotation of a namespace that a virtual cluster is synced to: the uid of its instance. */
export function instanceMark({ domain }: Pick<NamesProfile, 'domain'>): string {
  return `${domain}/vcluster-uid`
}

/** What the platform or the cluster itself may make later: whoever had it before would see into it. */
export function isReservedNamespace(
  namespace: string,
  { platform }: Pick<NamesProfile, 'platform'>,
): boolean {
  return [`${platform}-`, 'kube-'].some((start) => namespace.startsWith(start))
}
