export const admissionGroup = 'admissionregistration.k8s.io'

/** Plural of a kind of the group. */
export function admissionPlural(kind: string): string {
  return `${kind.toLowerCase().replace(/y$/, 'ie')}s`
}
