import { expect } from 'chai'
import { configMap, coreSecret, service } from './coreFixtures.ts'
import type { KubectlScenario } from '../fixtures.ts'

const patch = (name: string, body: unknown, flags = '') =>
  `patch ${name} ${flags} -p '${JSON.stringify(body)}'`
const ports = 'get svc one -o jsonpath={.spec.ports[*].name}'

export const corePatchScenarios: readonly KubectlScenario[] = [
  {
    name: 'patch without a type of a config map, and the same again (reference 3.9)',
    run: async ({ kubectl, file }) => {
      file('one.yaml', configMap('one', { a: 'first', b: 'second' }))
      await kubectl.ok('create -f one.yaml')
      const line = patch('cm one', { data: { a: null, c: 'third' } })
      expect(await kubectl.ok(line)).to.equal('configmap/one patched\n')
      expect(await kubectl.ok(line)).to.equal('configmap/one patched (no change)\n')
      expect(await kubectl.ok('get cm one -o jsonpath={.data}')).to.equal(
        '{"b":"second","c":"third"}',
      )
    },
  },
  {
    name: 'patch without a type of a secret: stringData becomes data (reference 3.9)',
    run: async ({ kubectl, file }) => {
      file('one.yaml', coreSecret('one', { a: 'first' }))
      await kubectl.ok('create -f one.yaml')
      await kubectl.ok(patch('secret one', { stringData: { b: 'second' } }))
      expect(await kubectl.ok('get secret one -o jsonpath={.data}')).to.equal(
        '{"a":"Zmlyc3Q=","b":"c2Vjb25k"}',
      )
      expect(await kubectl.ok('get secret one -o jsonpath={.stringData}')).to.equal('')
    },
  },
  {
    name: 'patch without a type of a service merges its ports by their number (reference 3.9)',
    run: async ({ kubectl, file }) => {
      file('one.yaml', service('one', { name: 'http', port: 80 }, { name: 'https', port: 443 }))
      await kubectl.ok('create -f one.yaml')
      const add = { spec: { ports: [{ name: 'metrics', port: 9090 }] } }
      expect(await kubectl.ok(patch('svc one', add))).to.equal('service/one patched\n')
      expect(await kubectl.ok(ports)).to.equal('metrics http https')
      await kubectl.ok(patch('svc one', { spec: { ports: [{ name: 'web', port: 80 }] } }))
      expect(await kubectl.ok(ports)).to.equal('metrics web https')
      await kubectl.ok(patch('svc one', { spec: { ports: [{ $patch: 'delete', port: 443 }] } }))
      expect(await kubectl.ok(ports)).to.equal('metrics web')
      const replace = { spec: { ports: [{ name: 'only', port: 1 }] } }
      await kubectl.ok(patch('svc one', replace, '--type=merge'))
      expect(await kubectl.ok(ports)).to.equal('only')
    },
  },
  {
    name: 'edit of a service changes one port of two',
    run: async ({ kubectl, file }) => {
      file('one.yaml', service('one', { name: 'http', port: 80 }, { name: 'https', port: 443 }))
      await kubectl.ok('create -f one.yaml')
      const editor = file('editor.sh', `#!/bin/sh\nsed -i 's/port: 443/port: 8443/' "$1"\n`)
      const edited = await kubectl.ok('edit svc one', { env: { KUBE_EDITOR: editor } })
      expect(edited).to.equal('service/one edited\n')
      expect(await kubectl.ok('get svc one -o jsonpath={.spec.ports[*].port}')).to.equal('80 8443')
    },
  },
  {
    name: 'edit that makes a service invalid shows the reason in the editor',
    run: async ({ kubectl, file }) => {
      file('one.yaml', service('one', { port: 80 }))
      await kubectl.ok('create -f one.yaml')
      const editor = file('editor.sh', `#!/bin/sh\nsed -i 's/port: 80$/port: 70000/' "$1"\n`)
      const error = await kubectl.fails('edit svc one', { env: { KUBE_EDITOR: editor } })
      expect(error).to.contain('error: services "one" is invalid\n')
    },
  },
  {
    name: 'label and annotate core kinds',
    run: async ({ kubectl, file }) => {
      const objects = [configMap('one'), coreSecret('one'), service('one', { port: 80 })]
      file('all.yaml', ...objects)
      await kubectl.ok('create -f all.yaml')
      expect(await kubectl.ok('label cm,secret,svc one a=b')).to.equal(
        'configmap/one labeled\nsecret/one labeled\nservice/one labeled\n',
      )
      await kubectl.ok('annotate -f all.yaml a=b')
      const names = await kubectl.ok('get cm,secret,svc -l a=b -o name')
      expect(names).to.equal('configmap/one\nsecret/one\nservice/one\n')
      expect(await kubectl.ok('label svc one a-')).to.equal('service/one unlabeled\n')
    },
  },
  {
    name: 'set selector and expose work on a service',
    run: async ({ kubectl, file }) => {
      file('one.yaml', service('one', { port: 80 }))
      await kubectl.ok('create -f one.yaml')
      expect(await kubectl.ok('set selector svc one app=other')).to.equal(
        'service/one selector updated\n',
      )
      expect(await kubectl.ok('get svc one -o jsonpath={.spec.selector}')).to.equal(
        '{"app":"other"}',
      )
      const expose = 'expose service one --name=two --port=8080 --target-port=90'
      expect(await kubectl.ok(expose)).to.equal('service/two exposed\n')
      const spec = await kubectl.ok('get svc two -o jsonpath={.spec}')
      expect(JSON.parse(spec)).to.deep.include({
        selector: { app: 'other' },
        ports: [{ port: 8080, protocol: 'TCP', targetPort: 90 }],
      })
    },
  },
]
