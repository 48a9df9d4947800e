import { expect } from 'chai'
import { X509Certificate } from 'node:crypto'
import { parse } from 'yaml'
import { at, textAt, type PlatformContext, type PlatformScenario } from './platformContext.ts'

const daySeconds = 24 * 60 * 60

/** Decoded parts of a signed token. */
function claimsOf(token: string): unknown {
  const [, payload = ''] = token.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

/**
 * Creates a virtual cluster with an ingress endpoint in a separate project. @returns the path of
 * its kubeconfig.
 */
async function newVirtualCluster({ call, newName }: PlatformContext) {
  const project = newName('project')
  const name = newName('web')
  await call(201, 'POST projects', { body: { metadata: { name: project } } })
  const instances = `namespaces/p-${project}/virtualclusterinstances`
  const template = { accessPoint: { ingress: { enabled: true } } }
  await call(201, `POST ${instances}`, { body: { metadata: { name }, spec: { template } } })
  const prefix = `/kubernetes/project/${project}/virtualcluster/${name}`
  return { kubeconfig: `${instances}/${name}/kubeconfig`, instance: `${instances}/${name}`, prefix }
}

/**
 * Sends the request as the admin: a user without access to a virtual cluster does not learn whether
 * it exists.
 */
async function whyNotInside(context: PlatformContext): Promise<string | undefined> {
  const { prefix } = await newVirtualCluster(context)
  const { status } = await context.send(`GET ${prefix}/api`)
  return status === 404 ? `404 for ${prefix}/api: no virtual clusters are served` : undefined
}

export const clusterFlows: readonly PlatformScenario[] = [
  {
    name: 'a token for a direct endpoint: signed, for a day, of no use for the management API (spec auth.5)',
    run: async ({ call, adminKey }) => {
      const body = { metadata: {}, spec: {}, status: { token: 'sent along' } }
      const answer = await call(201, 'POST directclusterendpointtokens', { body })
      const token = textAt(answer, 'status', 'token')
      expect(token).to.not.contain(adminKey)
      const claims = claimsOf(token)
      expect(Number(at(claims, 'exp')) - Number(at(claims, 'iat'))).to.equal(daySeconds)
      expect(at(claims, 'platform', 'name')).to.equal('admin')
      const keys = await call(200, 'GET /openid/v1/jwks')
      const header: unknown = JSON.parse(
        Buffer.from(token.split('.')[0] ?? '', 'base64url').toString(),
      )
      expect(at(keys, 'keys', '0', 'kid')).to.equal(at(header, 'kid'))
      await call(401, 'GET users', { key: token })
    },
  },
  {
    name: 'a token for a direct endpoint opens the API of a cluster, and ends with its user (spec auth.5, token.token)',
    run: async (context) => {
      const { call, newName, person } = context
      const cluster = newName('cluster')
      await call(201, 'POST clusters', { body: { metadata: { name: cluster } } })
      const { name, key } = await person('holder', { groups: ['system:masters'] })
      const made = await call(201, 'POST directclusterendpointtokens', { key, body: {} })
      const token = textAt(made, 'status', 'token')
      const inside = `GET /kubernetes/cluster/${cluster}/api/v1/namespaces/default`
      await call(200, inside, { key: token })
      await call(200, `PATCH users/${name}`, { body: { spec: { tokenGeneration: 1 } } })
      await call(401, inside, { key: token })
    },
  },
  {
    name: 'a kubeconfig for a virtual cluster: its address, and a key that opens nothing else (spec kubeconfig.kubeConfig)',
    run: async (context) => {
      const { call } = context
      const { kubeconfig, instance, prefix } = await newVirtualCluster(context)
      const shown = await call(200, `GET ${instance}?extended=true`)
      expect(at(shown, 'status')).to.deep.include({ phase: 'Ready', canUse: true })
      const answer = await call(201, `POST ${kubeconfig}`, { body: { spec: {} } })
      const config: unknown = parse(textAt(answer, 'status', 'kubeConfig'))
      const server = textAt(config, 'clusters', '0', 'cluster', 'server')
      expect(new URL(server).pathname).to.equal(prefix)
      expect(at(config, 'users', '0', 'name')).to.equal('vcluster')
      const key = textAt(config, 'users', '0', 'user', 'token')
      await call(403, 'GET users', { key })
    },
  },
  {
    name: 'the API of a virtual cluster, at the addresses that clients build',
    skip: whyNotInside,
    run: async (context) => {
      const { call } = context
      const { kubeconfig, prefix } = await newVirtualCluster(context)
      const answer = await call(201, `POST ${kubeconfig}`, { body: {} })
      const config: unknown = parse(textAt(answer, 'status', 'kubeConfig'))
      const key = textAt(config, 'users', '0', 'user', 'token')
      const lists = ['api/v1/pods', 'api/v1/namespaces/kube-system/pods']
      for (const path of [...lists, 'apis/storage.k8s.io/v1/storageclasses']) {
        const list = await call(200, `GET ${prefix}/${path}?timeout=180s`, { key })
        expect(at(list, 'items')).to.deep.equal([])
      }
      const inside = `${prefix}/api/v1/namespaces/default/configmaps`
      await call(201, `POST ${inside}`, { key, body: { metadata: { name: 'inside' } } })
      await call(404, 'GET /kubernetes/management/api/v1/namespaces/default/configmaps/inside')
      const { prefix: other } = await newVirtualCluster(context)
      await call(403, `GET ${other}/api/v1/pods`, { key })
    },
  },
  {
    name: 'a kubeconfig with a client certificate for a day, as the command line asks for it (spec kubeconfig.clientCert, kubeconfig.certificateTTL)',
    run: async (context) => {
      const { kubeconfig } = await newVirtualCluster(context)
      const body = { spec: { certificateTTL: daySeconds, clientCert: true } }
      const answer = await context.call(201, `POST ${kubeconfig}`, { body })
      const config: unknown = parse(textAt(answer, 'status', 'kubeConfig'))
      const data = textAt(config, 'users', '0', 'user', 'client-certificate-data')
      const certificate = new X509Certificate(Buffer.from(data, 'base64'))
      const seconds = (Date.parse(certificate.validTo) - Date.now()) / 1000
      expect(seconds).to.be.within(daySeconds - 60, daySeconds + 60)
    },
  },
]
