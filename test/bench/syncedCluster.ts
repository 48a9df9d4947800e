import type { JsonClient } from './jsonClient.ts'

const management = '/apis/management.platform/v1'

/** Paths of the virtual objects and of their host copies. */
export const virtualPath = '/kubernetes/project/bench/virtualcluster/web/api/v1/namespaces/default'
export const hostPath = '/kubernetes/cluster/one/api/v1/namespaces/team'

const patches = [
  {
    path: 'metadata.annotations["team"]',
    expression: '"host-" + value',
    reverseExpression: 'value.slice("host-".length)',
  },
]

/** Virtual cluster that is synced to a host, with a patch. */
export async function makeSyncedCluster(client: JsonClient): Promise<void> {
  const make = (path: string, name: string, spec: object = {}) =>
    client.send('POST', `${management}/${path}`, { metadata: { name }, spec })
  await make('projects', 'bench', { allowedClusters: [{ name: 'one' }] })
  await make('clusters', 'one')
  const values = JSON.stringify({ sync: { toHost: { endpoints: { enabled: true, patches } } } })
  const clusterRef = { cluster: 'one', namespace: 'team' }
  const spec = { clusterRef, template: { helmRelease: { values } } }
  await make('namespaces/p-bench/virtualclusterinstances', 'web', spec)
  await client.send('GET', `${virtualPath}/services`)
}

export const serviceName = (number: number) => `e-${number}`
export const copyName = (number: number) => `${serviceName(number)}-x-default-x-web`

export function endpointsObject(name: string) {
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name, annotations: { team: 'blue', 'bench/t': '0' } },
    subsets: [
      { addresses: [{ ip: '10.1.2.3' }], ports: [{ name: 'sql', port: 5432, protocol: 'TCP' }] },
    ],
  }
}

/** Runs the work for 0 to `count` - 1, some of it concurrently. */
export async function inParallel(
  count: number,
  atOnce: number,
  work: (number: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const run = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, run))
}

/** Resolves when the requested number of objects was seen. */
export async function countCopies(
  client: JsonClient,
  path: string,
  isCounted: (line: string) => boolean,
): Promise<{ reached: (count: number) => Promise<void>; end: () => void }> {
  let seen = 0
  let check: () => void = () => undefined
  const end = await client.watch(`${path}?watch=1&resourceVersion=0`, (line) => {
    if (!isCounted(line)) return
    seen += 1
    check()
  })
  const reached = (count: number) =>
    new Promise<void>((resolve) => {
      check = () => {
        if (seen >= count) resolve()
      }
      check()
    })
  return { reached, end }
}
