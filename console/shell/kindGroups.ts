import { isPlatformKind, type Kind } from '../api/kinds.ts'

const titles: Readonly<Record<string, string>> = {
  apps: 'Workloads',
  batch: 'Workloads',
  autoscaling: 'Workloads',
  policy: 'Workloads',
  'networking.k8s.io': 'Network',
  'discovery.k8s.io': 'Network',
  'storage.k8s.io': 'Storage',
  'rbac.authorization.k8s.io': 'Access control',
  'certificates.k8s.io': 'Access control',
  'scheduling.k8s.io': 'Cluster',
  'node.k8s.io': 'Cluster',
  'coordination.k8s.io': 'Cluster',
  'events.k8s.io': 'Cluster',
  'flowcontrol.apiserver.k8s.io': 'Cluster',
  'apiregistration.k8s.io': 'API',
  'apiextensions.k8s.io': 'API',
  'admissionregistration.k8s.io': 'API',
}
const coreTitles: Readonly<Record<string, string>> = {
  pods: 'Workloads',
  podtemplates: 'Workloads',
  replicationcontrollers: 'Workloads',
  configmaps: 'Configuration',
  secrets: 'Configuration',
  limitranges: 'Configuration',
  resourcequotas: 'Configuration',
  services: 'Network',
  endpoints: 'Network',
  persistentvolumes: 'Storage',
  persistentvolumeclaims: 'Storage',
  serviceaccounts: 'Access control',
}

/** Title of the menu section for a kind; kinds of unknown groups are listed under their group. */
function sectionOf(kind: Kind): string {
  if (isPlatformKind(kind)) return 'Platform'
  if (kind.group === '') return coreTitles[kind.plural] ?? 'Cluster'
  return titles[kind.group] ?? kind.group
}

const order = [
  'Platform',
  'Workloads',
  'Configuration',
  'Network',
  'Storage',
  'Access control',
  'Cluster',
  'API',
]

/** Kinds by section; well-known sections first, then groups by name. */
export function bySection(kinds: readonly Kind[]): [string, Kind[]][] {
  const sections = Map.groupBy(kinds, sectionOf)
  const place = (title: string) => order.indexOf(title) + 1 || order.length + 1
  return [...sections].sort(([a], [b]) => place(a) - place(b) || a.localeCompare(b))
}

const shortTitles: Readonly<Record<string, string>> = {
  virtualclusterinstances: 'Virtual clusters',
  spaceinstances: 'Spaces',
  ownedaccesskeys: 'Access keys of all users',
}

/** Plural name of a kind as a title: `ConfigMap` becomes `Config maps`. */
export function kindTitle({ kind, plural }: Pick<Kind, 'kind' | 'plural'>): string {
  const own = shortTitles[plural]
  if (own !== undefined) return own
  const words = kind
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
  const lower = words
    .split(' ')
    .map((word, at) => (at === 0 || /^[A-Z]{2,}/.test(word) ? word : word.toLowerCase()))
    .join(' ')
  if (plural === kind.toLowerCase()) return lower
  if (/[^aeiou]y$/.test(lower)) return lower.replace(/y$/, 'ies')
  return /(s|x|ch|sh)$/.test(lower) ? `${lower}es` : `${lower}s`
}
