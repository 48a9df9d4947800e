import { expect } from 'chai'
import type { KubectlScenario } from '../fixtures.ts'

interface Claims {
  aud: string[]
  exp: number
  iat: number
  sub: string
  'kubernetes.io': Record<string, unknown>
}

function claimsOf(token: string): Claims {
  const [, payload = ''] = token.trim().split('.')
  // The server issues tokens with these claims.
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims
}

export const tokenScenarios: readonly KubectlScenario[] = [
  {
    name: 'create token: a service account has the rights that roles give it',
    run: async ({ kubectl, namespace }) => {
      await kubectl.ok('create serviceaccount robot')
      const token = (await kubectl.ok('create token robot')).trim()
      expect(claimsOf(token).sub).to.equal(`system:serviceaccount:${namespace}:robot`)
      const as = `--token=${token}`
      expect((await kubectl.run(`auth can-i list pods ${as}`)).stdout).to.match(/^no\b/)
      expect(await kubectl.fails(`get pods ${as}`)).to.contain(
        `User "system:serviceaccount:${namespace}:robot" cannot list resource "pods"`,
      )
      await kubectl.ok(
        `create rolebinding robot --clusterrole=view --serviceaccount=${namespace}:robot`,
      )
      expect(await kubectl.ok(`auth can-i list pods ${as}`)).to.equal('yes\n')
      await kubectl.ok(`get pods ${as}`)
      await kubectl.ok('delete serviceaccount robot')
      expect(await kubectl.fails(`get pods ${as}`)).to.match(/logged in|Unauthorized|login again/)
    },
  },
  {
    name: 'create token --duration and --audience; too short a life is refused',
    run: async ({ kubectl }) => {
      const token = await kubectl.ok(
        'create token default --duration=2h --audience=vault --audience=other',
      )
      const { aud, exp, iat } = claimsOf(token)
      expect({ aud, life: exp - iat }).to.deep.equal({ aud: ['vault', 'other'], life: 7200 })
      expect(await kubectl.fails('create token default --duration=5m')).to.contain(
        'may not specify a duration less than 10 minutes',
      )
    },
  },
  {
    name: 'create token --bound-object-kind, --bound-object-name and --bound-object-uid',
    run: async ({ kubectl }) => {
      await kubectl.ok('create secret generic bound')
      const bind = 'create token default --bound-object-kind=Secret --bound-object-name=bound'
      const token = (await kubectl.ok(bind)).trim()
      const uid = await kubectl.ok('get secret bound -o jsonpath={.metadata.uid}')
      expect(claimsOf(token)['kubernetes.io']['secret']).to.deep.equal({ name: 'bound', uid })
      await kubectl.ok(`${bind} --bound-object-uid=${uid}`)
      expect(await kubectl.fails(`${bind} --bound-object-uid=x`)).to.contain(
        'does not match the UID',
      )
      const as = `--token=${token}`
      expect((await kubectl.run(`auth can-i --list ${as}`)).code).to.equal(0)
      await kubectl.ok('delete secret bound')
      expect((await kubectl.run(`auth can-i --list ${as}`)).code).to.equal(1)
    },
  },
  {
    name: 'debug: an ephemeral container joins a pod',
    run: async ({ kubectl }) => {
      await kubectl.ok('run web --image=web:1 --restart=Never')
      await kubectl.ok('debug web --image=shell:1 --target=web --container=look --attach=false')
      const path = 'jsonpath={.spec.ephemeralContainers[*].name}'
      expect(await kubectl.ok(`get pod web -o ${path}`)).to.equal('look')
    },
  },
  {
    name: 'patch --subresource=resize: a pod asks for other resources',
    skip: ({ kubectl }) => (kubectl.minor < 32 ? 'does not know the subresource' : undefined),
    run: async ({ kubectl, file }) => {
      const container = (cpu: string) => ({
        containers: [{ name: 'c', image: 'i:1', resources: { requests: { cpu } } }],
      })
      file('pod.yaml', {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'big' },
        spec: container('1'),
      })
      await kubectl.ok('create -f pod.yaml')
      file('patch.json', JSON.stringify({ spec: container('2') }))
      await kubectl.ok('patch pod big --subresource=resize --patch-file=patch.json')
      const path = 'jsonpath={.spec.containers[0].resources.requests.cpu}'
      expect(await kubectl.ok(`get pod big -o ${path}`)).to.equal('2')
    },
  },
]
