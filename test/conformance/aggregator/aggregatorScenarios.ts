import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'node:https'
import type { Scenario } from '../support/scenario.ts'
import { groups, type AggregatedWorld } from './aggregatedWorld.ts'
import { give, makeUser } from './delegates.ts'

const management = '/apis/management.platform/v1'

export const aggregatorScenarios: readonly Scenario<AggregatedWorld>[] = [
  {
    name: 'the core says in its config map whose certificates count',
    run: async ({ core }) => {
      const name = 'extension-apiserver-authentication'
      const path = `/api/v1/namespaces/kube-system/configmaps/${name}`
      const { data } = (await core.client().get(path)) as unknown as { data: object }
      const { 'requestheader-client-ca-file': pem, ...rest } = data as Record<string, string>
      match(pem ?? '', /BEGIN CERTIFICATE/)
      deepEqual(rest, {
        'requestheader-allowed-names': '["aggregator"]',
        'requestheader-extra-headers-prefix': '["x-remote-extra-"]',
        'requestheader-group-headers': '["x-remote-group"]',
        'requestheader-uid-headers': '["X-Remote-Uid"]',
        'requestheader-username-headers': '["x-remote-user"]',
      })
    },
  },
  {
    name: 'discovery and documents come through the aggregator',
    run: async (world) => {
      const { stdout } = await world.kubectl(world.tokens.admin, ['api-resources', '-o', 'name'])
      match(stdout, /^projects\.management\.platform$/m)
      match(stdout, /^clusterroles\.rbac\.authorization\.k8s\.io$/m)
      const versions = await world.kubectl(world.tokens.admin, ['api-versions'])
      for (const group of groups) match(versions.stdout, new RegExp(`^${group}/v1$`, 'm'))
      await eventually(async () => {
        const args = ['explain', 'projects.spec.owner']
        const { stdout } = await world.kubectl(world.tokens.admin, args)
        match(stdout, /KIND: +Project/)
      })
    },
  },
  {
    name: 'the extension sees the user whom the core knows',
    run: async (world) => {
      const args = ['auth', 'whoami', '-o', 'jsonpath={.status.userInfo}']
      const direct = await world.kubectlAt(world.core.urls.secure, world.tokens.bob, { args })
      const through = await world.kubectl(world.tokens.bob, args)
      equal(through.stderr, '')
      const wanted = JSON.parse(direct.stdout) as { username: string; uid: string }
      equal(wanted.username, 'bob')
      ok(wanted.uid !== '')
      deepEqual(JSON.parse(through.stdout), wanted)
    },
  },
  {
    name: 'objects are created, listed, patched, applied and deleted',
    run: async (world) => {
      const run = async (args: string[], input?: string) => {
        const { code, stdout, stderr } = await world.kubectl(world.tokens.admin, args, input)
        equal(code, 0, stderr)
        return stdout
      }
      const team = (displayName: string) =>
        JSON.stringify({
          apiVersion: 'management.platform/v1',
          kind: 'Team',
          metadata: { name: 'ops' },
          spec: { displayName },
        })
      equal(await run(['create', '-f', '-'], team('One')), 'team.management.platform/ops created\n')
      match(await run(['get', 'teams']), /^ops /m)
      const patch = JSON.stringify({ spec: { description: 'x' } })
      await run(['patch', 'team', 'ops', '--type=merge', '-p', patch])
      const apply = ['apply', '--server-side', '--force-conflicts', '-f', '-']
      match(await run(apply, team('Two')), /serverside-applied/)
      equal(await run(['get', 'team', 'ops', '-o', 'jsonpath={.spec.displayName}']), 'Two')
      const own = await world.extension.client().get(`${management}/teams/ops`)
      equal(own.spec?.['description'], 'x')
      await run(['delete', 'team', 'ops'])
    },
  },
  {
    name: 'a watch passes events on',
    run: async (world) => {
      const args = ['get', 'teams', '--watch', '-o', 'name']
      const { url } = world.aggregator
      const watch = world.startKubectl(url, world.tokens.admin, { args, input: undefined })
      const object = { apiVersion: 'management.platform/v1', kind: 'Team' }
      try {
        const create = ['create', '-f', '-']
        const input = JSON.stringify({ ...object, metadata: { name: 'seen' } })
        await pause(500)
        await world.kubectl(world.tokens.admin, create, input)
        await watch.until(({ stdout }) => stdout.includes('team.management.platform/seen'))
      } finally {
        watch.stop('SIGTERM')
        await world.kubectl(world.tokens.admin, ['delete', 'team', 'seen'])
      }
    },
  },
  {
    name: 'a user without rights is refused, and let in when the core gives them',
    run: async (world) => {
      const args = ['get', 'teams']
      const refused = await world.kubectl(world.tokens.bob, args)
      match(refused.stderr, /^Error from server \(Forbidden\): teams.* User "bob" cannot list/)
      const rules = [
        {
          apiGroups: ['management.platform'],
          resources: ['teams', 'ownedaccesskeys'],
          verbs: ['*'],
        },
      ]
      await give(world.core.client(), { name: 'teams', user: 'bob', rules })
      // The aggregator and the extension cache a denial for a moment.
      await eventually(async () => equal((await world.kubectl(world.tokens.bob, args)).code, 0))
    },
  },
  {
    name: 'what the aggregator lets through, the extension may still refuse',
    run: async (world) => {
      const key = {
        apiVersion: 'management.platform/v1',
        kind: 'OwnedAccessKey',
        metadata: { name: 'stolen' },
        spec: { user: 'admin', type: 'User' },
      }
      const create = ['create', '--validate=false', '-f', '-']
      const { code, stderr } = await world.kubectl(world.tokens.bob, create, JSON.stringify(key))
      equal(code, 1)
      match(stderr, /Forbidden/)
      const token = world.tokens.bob
      const server = world.extension.urls.secure
      const direct = await world.kubectlAt(server, token, { args: ['get', 'clusterroles'] })
      match(direct.stderr, /^Error from server \(Forbidden\): clusterroles.* User "bob" cannot/)
    },
  },
  {
    name: 'the scope of a key of the core narrows behind the aggregator too',
    run: async (world) => {
      const admin = world.core.client()
      const resources = [{ group: 'management.platform', resources: ['users'] }]
      const scope = { rules: [{ verbs: ['get'], resources }] }
      const token = await makeUser(admin, 'admin', { scope, key: 'narrow' })
      const allowed = await world.kubectl(token, ['get', 'user', 'admin'])
      equal(allowed.code, 0, allowed.stderr)
      const server = world.extension.urls.secure
      for (const url of [world.aggregator.url, server]) {
        const refused = await world.kubectlAt(url, token, { args: ['get', 'teams'] })
        match(refused.stderr, /Forbidden/)
      }
    },
  },
  {
    name: 'unknown tokens, and headers without a certificate, are nobody',
    run: async (world) => {
      for (const url of [world.aggregator.url, world.extension.urls.secure]) {
        const path = `${url}${management}/users`
        equal(await statusOf(path, { authorization: 'Bearer nobody' }), 401)
      }
      const path = `${world.extension.urls.secure}${management}/users`
      const headers = { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' }
      equal(await statusOf(path, headers), 401)
    },
  },
]

async function eventually(check: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await check()
    } catch (error) {
      if (tries === 40) throw error
    }
    await pause(500)
  }
}

function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { headers, rejectUnauthorized: false, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}
