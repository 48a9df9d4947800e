/**
 * Compares the costs of a watch that shows each user only its own objects with those of one that
 * shows all: `npx tsx test/watchCosts/main.ts`. Both have one thousand users with a stream each and
 * receive the same events.
 */
import { once } from 'node:events'
import { request, Agent, type IncomingMessage } from 'node:http'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { startServer } from '../../apiserver/server.ts'

const watchers = 1_000
const events = 100
const path = '/apis/management.platform/v1/projects'
const rbac = '/apis/rbac.authorization.k8s.io/v1'
const agent = new Agent({ keepAlive: false })

interface Task {
  url: string
  tokens: string[]
  revision: string
}

function open(url: string, token: string, options: object = {}, body?: object) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = request(url, { agent, headers, ...options }, resolve)
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Reads every stream until it has received all events. */
async function readAll({ url, tokens, revision }: Task): Promise<void> {
  let whole = 0
  await Promise.all(
    tokens.map(async (token) => {
      const answer = await open(`${url}${path}?watch=1&resourceVersion=${revision}`, token)
      let seen = 0
      answer.on('data', (chunk: Buffer) => {
        seen += chunk.toString('latin1').split('"type":"MODIFIED"').length - 1
        if (seen === events && ++whole === tokens.length) parentPort?.postMessage('done')
      })
    }),
  )
  parentPort?.postMessage('open')
}

async function main(): Promise<void> {
  const server = await startServer({
    ...({ storage: 'memory', securePort: 0, insecurePort: 0, logLevel: 'silent' } as const),
  })
  const url = server.insecureUrl ?? server.url
  const admin = server.adminAccessKey
  const send = async (
    method: string,
    place: string,
    body?: object,
  ): Promise<Record<string, unknown>> => {
    const headers = {
      authorization: `Bearer ${admin}`,
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    }
    const answer = await open(`${url}${place}`, admin, { method, headers }, body)
    let text = ''
    for await (const chunk of answer.setEncoding('utf8')) text += String(chunk)
    // Fields are found by searching for them one by one.
    return JSON.parse(text) as Record<string, unknown>
  }
  await send('POST', path, { metadata: { name: 'p' }, spec: {} })
  const rule = { apiGroups: ['management.platform'], resources: ['projects'] }
  const all = { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:authenticated' }
  const bind = async (name: string, rules: object[]) => {
    await send('POST', `${rbac}/clusterroles`, { metadata: { name }, rules })
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name }
    await send('POST', `${rbac}/clusterrolebindings`, {
      metadata: { name },
      roleRef,
      subjects: [all],
    })
  }
  await bind('p', [{ ...rule, verbs: ['get'], resourceNames: ['p'] }])
  const tokens: string[] = []
  for (let at = 0; at < watchers; at++) {
    await send('POST', '/apis/management.platform/v1/users', {
      metadata: { name: `u${at}` },
      spec: { subject: `u${at}` },
    })
    const key = await send('POST', '/apis/management.platform/v1/ownedaccesskeys', {
      metadata: { name: `u${at}` },
      spec: { user: `u${at}` },
    })
    tokens.push((key as { spec: { key: string } }).spec.key)
  }
  const measure = async (name: string): Promise<number> => {
    for (const token of tokens) (await open(`${url}${path}`, token)).resume()
    const list = (await send('GET', path)) as { metadata: { resourceVersion: string } }
    const task: Task = { url, tokens, revision: list.metadata.resourceVersion }
    const worker = new Worker(
      `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(import.meta.url)}) })`,
      { eval: true, workerData: task },
    )
    await once(worker, 'message')
    const before = performance.eventLoopUtilization()
    const startedMs = performance.now()
    const done = once(worker, 'message')
    for (let at = 0; at < events; at++)
      await send('PATCH', `${path}/p`, { spec: { displayName: `${name} ${at}` } })
    await done
    const busyMs = performance.eventLoopUtilization(before).active
    process.stdout.write(
      `${name}: ${busyMs.toFixed(0)} ms of the loop, ${(performance.now() - startedMs).toFixed(0)} ms\n`,
    )
    await worker.terminate()
    return busyMs
  }
  const filtered = [await measure('filtered'), await measure('filtered')]
  await bind('all', [{ ...rule, verbs: ['get', 'list', 'watch'] }])
  const open_ = [await measure('open'), await measure('open')]
  const ratio = Math.min(...filtered) / Math.min(...open_)
  process.stdout.write(`filtered costs ${ratio.toFixed(2)} times what open costs\n`)
  process.exit(ratio <= 2 ? 0 : 1)
}

await (isMainThread ? main() : readAll(workerData as Task))
