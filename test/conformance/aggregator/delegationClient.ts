import { deepEqual, equal, match } from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { peerPrograms, peerVersion } from '../../peer/peerPrograms.ts'
import { client, missingClient, type Client, type Scenario } from '../support/scenario.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { give, makeUser } from './delegates.ts'
import { DelegationWorld } from './delegationWorld.ts'

const rule = { apiGroups: ['wardle.example.com'], resources: ['flunders'], verbs: ['list'] }

const scenarios: readonly Scenario<DelegationWorld>[] = [
  {
    name: 'a token of the core is taken, another is 401',
    run: async (world) => {
      equal((await world.ask({ token: world.tokens.admin })).status, 200)
      equal((await world.ask({ token: 'nobody' })).status, 401)
      equal((await world.ask({})).status, 403)
    },
  },
  {
    name: 'a user without rights is 403, and let in by a role of the core',
    run: async (world) => {
      const refused = await world.ask({ token: world.tokens.bob })
      equal(refused.status, 403)
      match(refused.body.message ?? '', /User "bob" cannot list resource "flunders"/)
      await give(world.core.client(), { name: 'flunders', user: 'bob', rules: [rule] })
      await untilStatus(200, () => world.ask({ token: world.tokens.bob }))
    },
  },
  {
    name: 'a key with a scope is narrowed there too',
    run: async (world) => {
      const resources = [{ group: 'management.platform', resources: ['users'] }]
      const scope = { rules: [{ verbs: ['get'], resources }] }
      const token = await makeUser(world.core.client(), 'carol', { scope })
      await give(world.core.client(), { name: 'flunders-carol', user: 'carol', rules: [rule] })
      equal((await world.ask({ token })).status, 403)
      const wide = await makeUser(world.core.client(), 'carol', { key: 'carol-wide' })
      await untilStatus(200, () => world.ask({ token: wide }))
    },
  },
  {
    name: 'a client certificate of the authority that the core names is its user',
    run: async (world) => {
      const certificate = await world.issue('clients', { cn: 'dave', o: ['crew'] })
      const refused = await world.ask({ certificate })
      equal(refused.status, 403)
      match(refused.body.message ?? '', /User "dave" cannot list/)
      const root = await world.issue('clients', { cn: 'root', o: ['system:masters'] })
      equal((await world.ask({ certificate: root })).status, 200)
    },
  },
  {
    name: 'a front proxy that the core names says whom a request is from',
    run: async (world) => {
      const certificate = await world.issue('frontProxy', { cn: 'front-proxy' })
      const as = (user: string, group: string) =>
        world.ask({ certificate, headers: { 'x-remote-user': user, 'x-remote-group': group } })
      deepEqual(
        [(await as('eve', 'a')).status, (await as('eve', 'system:masters')).status],
        [403, 200],
      )
      const other = await world.issue('frontProxy', { cn: 'other' })
      const headers = { 'x-remote-user': 'eve', 'x-remote-group': 'system:masters' }
      equal((await world.ask({ certificate: other, headers })).status, 401)
    },
  },
]

/** The sample API server of the real library, which asks this server to review users and their rights. */
export function delegationClient(around: Surroundings): Client {
  const name = `sample-apiserver ${peerVersion} that delegates`
  return {
    name,
    run: async (report, wanted) => {
      if (!scenarios.some((one) => wanted.isWanted(`${name}: ${one.name}`))) return
      const programs = peerPrograms()
      if (typeof programs === 'string') {
        return missingClient(name, programs).run(report, wanted)
      }
      await client<DelegationWorld>({
        name,
        scenarios,
        open: () => DelegationWorld.open(around, programs),
        close: (world) => world.close(),
      }).run(report, wanted)
    },
  }
}

/** Waits for a status; denials are cached for ten seconds. */
async function untilStatus(wanted: number, ask: () => Promise<{ status: number }>): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { status } = await ask()
    if (status === wanted || tries === 30) return equal(status, wanted)
    await pause(500)
  }
}
