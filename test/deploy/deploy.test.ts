import { expect } from 'chai'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { defaultNames, managementGroup } from '../../apiserver/meta/names/namesProfile.ts'
import { startServer } from '../../apiserver/server.ts'
import type { RunningServer } from '../../apiserver/runtime/options/serverOptions.ts'
import { readKubeconfig } from '../../apiserver/authentication/delegation/kubeconfigFile.ts'
import { settings } from '../../apiserver/command/config/settings.ts'
import { tlsRequest } from '../support/servers/tlsRequest.ts'

const folder = join(import.meta.dirname, '../../deploy')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string }
  [field: string]: unknown
}

const modes = ['standalone', 'aggregated'] as const

function manifests(name: string): Manifest[] {
  // Sound: the server validates the content below.
  return parseAllDocuments(read(name)).map((document) => document.toJS() as Manifest)
}

function manifestOf(kind: string, mode: (typeof modes)[number] = 'aggregated') {
  return manifests(`manifests/${mode}.yaml`).find((each) => each.kind === kind)
}

describe('deploy', () => {
  let server: RunningServer

  before(async () => {
    const quiet = { logLevel: 'silent', shutdownGraceSeconds: 0 } as const
    server = await startServer({ ...quiet, storage: 'memory', securePort: 0 })
  })

  after(() => server.stop())

  const ask = async (path: string, body?: unknown) => {
    const given = {
      token: server.adminAccessKey,
      body,
      ...(body === undefined
        ? {}
        : { method: 'PATCH', headers: { 'content-type': 'application/apply-patch+yaml' } }),
    }
    const { status, text } = await tlsRequest(server.url + path, given)
    return { status, body: JSON.parse(text) as Record<string, unknown> }
  }
  const pathOf = async ({ apiVersion, kind, metadata: { namespace } }: Manifest) => {
    const base = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
    const { resources } = (await ask(base)).body as { resources: { kind: string; name: string }[] }
    const found = resources.find((one) => one.kind === kind && !one.name.includes('/'))
    return `${base}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${found?.name}`
  }

  for (const mode of modes)
    it(`is accepted by a server: ${mode}`, async () => {
      for (const manifest of ['namespace.yaml', `manifests/${mode}.yaml`].flatMap(manifests)) {
        const { kind, metadata } = manifest
        const query = 'fieldValidation=Strict&fieldManager=deploy&force=true'
        const path = `${await pathOf(manifest)}/${metadata.name}?${query}`
        // The server already has the APIServices of its own groups.
        const { status, body } = await ask(path, manifest)
        expect([kind, metadata.name, status < 300, body['message']]).to.deep.equal([
          kind,
          metadata.name,
          true,
          undefined,
        ])
      }
    })

  it('has an APIService for each group of the platform', async () => {
    const services = [manifestOf('APIService')?.metadata.name]
    const { groups } = (await ask('/apis')).body as { groups: { name: string }[] }
    const own = groups.filter(({ name }) => name.endsWith(`.${defaultNames.domain}`))
    expect(services).to.deep.equal(own.map(({ name }) => `v1.${name}`))
    expect(services).to.deep.equal([`v1.${managementGroup(defaultNames)}`])
  })

  it('the service selects the deployment, under the name in its certificate', () => {
    const service = manifestOf('Service')
    const deployment = manifestOf('Deployment')
    const registration = manifestOf('APIService')
    const selector = (service?.['spec'] as { selector: object }).selector
    expect(deployment).to.have.deep.nested.property('spec.selector.matchLabels', selector)
    const { template } = deployment?.['spec'] as { template: { metadata: { labels: object } } }
    expect(template.metadata.labels).to.include(selector)
    expect(registration).to.have.deep.nested.property('spec.service', {
      namespace: service?.metadata.namespace,
      name: service?.metadata.name,
      port: 443,
    })
    const { tlsSan } = settingsOf()
    expect(tlsSan).to.match(/^platform\.platform\.svc,/)
  })

  it('has only known settings, and a readable kubeconfig', async () => {
    const known = settings.map(({ path }) => path)
    const paths = Object.entries(settingsOf()).flatMap(([key, value]) =>
      typeof value === 'object' ? Object.keys(value).map((inner) => `${key}.${inner}`) : [key],
    )
    expect(known).to.include.members(paths)
    const file = join(mkdtempSync(join(tmpdir(), 'deploy-')), 'kubeconfig')
    const account = /\/var\/run\/secrets\/kubernetes\.io\/serviceaccount/g
    writeFileSync(file, (dataOf()['core.kubeconfig'] ?? '').replaceAll(account, dirname(file)))
    writeFileSync(join(dirname(file), 'ca.crt'), 'CA')
    const { server: core, ca, tokenFile } = await readKubeconfig(file)
    const token = join(dirname(file), 'token')
    expect([core, ca, tokenFile]).to.deep.equal(['https://kubernetes.default.svc', 'CA', token])
    rmSync(dirname(file), { recursive: true })
  })

  it('the chart has the version of the package', () => {
    const { version } = JSON.parse(read('../package.json')) as { version: string }
    expect(parse(read('chart/Chart.yaml'))).to.include({ version, appVersion: version })
  })

  function dataOf(): Record<string, string> {
    return manifestOf('ConfigMap')?.['data'] as Record<string, string>
  }
  function settingsOf(): Record<string, string | object> {
    return parse(dataOf()['settings.yaml'] ?? '') as Record<string, string | object>
  }
})
