/**
 * Controllers of a cluster that this server can run, by their names in Kubernetes.
 * Source: kube-controller-manager, `--controllers`.
 */
const names = [
  'clusterrole-aggregation-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
] as const

export type ClusterController = (typeof names)[number]

/** All controllers. */
export const clusterControllers: ReadonlySet<ClusterController> = new Set(names)

/** Reports whether a word is the name of a controller, `*`, or either after a minus sign. */
export function isControllerWord(word: string): boolean {
  return word === '*' || names.some((name) => name === word.replace(/^-/, ''))
}

/**
 * Controllers of a list such as `*,-namespace-controller`: named controllers run, controllers after
 * a minus sign do not, and all others run if the list contains `*`.
 */
export function enabledControllers(words: readonly string[]): ReadonlySet<ClusterController> {
  const isOn = (name: ClusterController) =>
    words.includes(name) || (words.includes('*') && !words.includes(`-${name}`))
  return new Set(names.filter(isOn))
}
