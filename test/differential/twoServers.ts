import { join } from 'node:path'
import type { UserInfo } from '../../apiserver/meta/types.ts'
import { ServerProcess, type Surroundings } from '../conformance/support/serverProcess.ts'
import type { PeerPrograms } from '../peer/peerPrograms.ts'
import { startPeer } from '../peer/peerServer.ts'
import { fischersPath, flundersPath, post, type Answer, type Case } from './call.ts'
import { differences, type Difference } from './compare.ts'
import { normalised } from './normalise.ts'
import { runCase } from './runCase.ts'
import { send, type Side } from './side.ts'
import { openTestPlane } from './testPlane.ts'

/** The two compared servers, and the core server to which the peer delegates. */
export interface TwoServers {
  /** Runs a case on both. */
  compare: (given: Case) => Promise<Difference[]>
  close: () => Promise<void>
}

const core = '/apis/management.platform/v1'

export async function openTwoServers(
  around: Surroundings,
  programs: PeerPrograms,
): Promise<TwoServers> {
  const server = new ServerProcess(around, 'core')
  await server.start()
  const { token: admin } = server.credentials()
  const delegate: Side = { ...sideAt(server.urls.insecure), tokens: { admin, bob: '' } }
  const bob = await makeBob(delegate)
  const tokens = { admin, bob }
  const folder = join(around.workspace.folder('peer'), 'data')
  const peer = await startPeer(programs, { kubeconfig: server.kubeconfig, token: admin }, folder)
  const plane = await openTestPlane(await usersOf(delegate, tokens))
  const ours: Side = { name: 'ours', port: plane.port, secure: false, tokens }
  const theirs: Side = { name: 'peer', port: peer.port, secure: true, tokens }
  let cases = 0
  return {
    compare: async (given) => {
      const namespace = `case-${++cases}`
      const namespaced = post('/api/v1/namespaces', { metadata: { name: namespace } })
      await Promise.all([send(ours, namespaced), send(delegate, namespaced)])
      const [left, right] = await Promise.all([
        run(ours, given, namespace),
        run(theirs, given, namespace),
      ])
      return differences(normalised(left), normalised(right))
    },
    close: async () => {
      await plane.close()
      await peer.stop()
      await server.stop()
    },
  }
}

function sideAt(url: string): Omit<Side, 'tokens'> {
  return { name: 'peer', port: Number(new URL(url).port), secure: false }
}

/** Creates a user of the core server without rights. @returns the token. */
async function makeBob(delegate: Side): Promise<string> {
  await send(
    delegate,
    post(`${core}/users`, { metadata: { name: 'bob' }, spec: { subject: 'bob' } }),
  )
  const spec = { user: 'bob', type: 'User' }
  const key = await send(
    delegate,
    post(`${core}/ownedaccesskeys`, { metadata: { name: 'bob' }, spec }),
  )
  // The response is one of our own API.
  return (JSON.parse(key.body) as { spec: { key: string } }).spec.key
}

/** Users of the tokens according to the core server, so that both servers know the same users. */
async function usersOf(delegate: Side, tokens: Side['tokens']): Promise<Map<string, UserInfo>> {
  const entries = Object.values(tokens).map(async (token): Promise<[string, UserInfo]> => {
    const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
    const own = { ...delegate, tokens: { admin: token, bob: token } }
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
    const { body } = await send(own, post(path, asked))
    const { status } = JSON.parse(body) as {
      status: { userInfo: { username: string; uid?: string; groups?: string[] } }
    }
    const { username, uid = '', groups = [] } = status.userInfo
    return [token, { name: username, uid, groups, extra: {} }]
  })
  return new Map(await Promise.all(entries))
}

async function run(side: Side, given: Case, namespace: string): Promise<Answer[]> {
  const answers = await runCase(side, given, namespace)
  await empty(side)
  return answers
}

/** Removes everything before the next case, including objects with finalizers. */
async function empty(side: Side): Promise<void> {
  const everywhere = flundersPath.replace('/namespaces/{ns}', '')
  for (const collection of [everywhere, fischersPath]) {
    const { body } = await send(side, { path: collection })
    const { items } = JSON.parse(body) as {
      items: { metadata: { name: string; namespace?: string } }[]
    }
    for (const { metadata } of items) {
      const { name, namespace } = metadata
      const path = namespace === undefined ? collection : flundersPath.replace('{ns}', namespace)
      const one = `${path}/${encodeURIComponent(name)}`
      const headers = { 'content-type': 'application/merge-patch+json' }
      await send(side, {
        method: 'PATCH',
        path: one,
        body: { metadata: { finalizers: null } },
        headers,
      })
      await send(side, { method: 'DELETE', path: one })
    }
  }
}
