import { expect } from 'chai'
import { secret, secretName, type KubectlScenario } from '../fixtures.ts'

const one = secretName('one')
const version = 'get sharedsecret one -o jsonpath={.metadata.resourceVersion}'

export const applyScenarios: readonly KubectlScenario[] = [
  {
    name: 'apply creates; again: unchanged; with a change: configured',
    run: async ({ kubectl, file }) => {
      file('one.yaml', secret('one'))
      expect(await kubectl.ok('apply -f one.yaml')).to.equal(`${one} created\n`)
      const before = await kubectl.ok(version)
      expect(await kubectl.ok('apply -f one.yaml')).to.equal(`${one} unchanged\n`)
      expect(await kubectl.ok(version)).to.equal(before)
      file('one.yaml', secret('one', { displayName: 'Second' }))
      expect(await kubectl.ok('apply -f one.yaml')).to.equal(`${one} configured\n`)
      const shown = await kubectl.ok('get sharedsecret one -o jsonpath={.spec.displayName}')
      expect(shown).to.equal('Second')
    },
  },
  {
    name: 'apply removes what was applied before and is gone, and keeps what others set',
    run: async ({ kubectl, file }) => {
      file('one.yaml', secret('one', { data: { a: 'eA==', b: 'eQ==' } }))
      await kubectl.ok('apply -f one.yaml')
      await kubectl.ok(`patch sharedsecret one --type=merge -p {"spec":{"data":{"c":"eg=="}}}`)
      file('one.yaml', secret('one', { data: { a: 'eA==' } }))
      await kubectl.ok('apply -f one.yaml')
      const data = await kubectl.ok('get sharedsecret one -o jsonpath={.spec.data}')
      expect(JSON.parse(data)).to.deep.equal({ a: 'eA==', c: 'eg==' })
    },
  },
  {
    name: 'apply of an object that create made warns, and takes it over',
    run: async ({ kubectl, file }) => {
      file('one.yaml', secret('one'))
      await kubectl.ok('create -f one.yaml')
      const { code, stdout, stderr } = await kubectl.run('apply -f one.yaml')
      expect({ code, stdout }).to.deep.equal({ code: 0, stdout: `${one} configured\n` })
      expect(stderr).to.contain('kubectl.kubernetes.io/last-applied-configuration annotation')
      expect(await kubectl.ok('apply -f one.yaml')).to.equal(`${one} unchanged\n`)
    },
  },
  {
    name: 'apply --dry-run=server stores nothing',
    run: async ({ kubectl, file }) => {
      file('one.yaml', secret('one'))
      expect(await kubectl.ok('apply --dry-run=server -f one.yaml')).to.equal(
        `${one} created (server dry run)\n`,
      )
      expect(await kubectl.ok('get sharedsecrets -o name')).to.equal('')
      await kubectl.ok('apply -f one.yaml')
      const before = await kubectl.ok(version)
      file('one.yaml', secret('one', { displayName: 'Second' }))
      expect(await kubectl.ok('apply --dry-run=server -f one.yaml')).to.equal(
        `${one} configured (server dry run)\n`,
      )
      expect(await kubectl.ok(version)).to.equal(before)
    },
  },
  {
    name: 'apply --prune -l deletes what is no longer in the files',
    run: async ({ kubectl, file }) => {
      const of = (name: string) => ({ ...secret(name), metadata: { name, labels: { app: 'x' } } })
      file('two.yaml', of('one'), of('two'))
      await kubectl.ok('apply -f two.yaml')
      file('two.yaml', of('one'))
      const allowed = '--prune-allowlist=management.platform/v1/SharedSecret'
      const out = await kubectl.ok(`apply --prune -l app=x ${allowed} -f two.yaml`)
      expect(out).to.equal(`${one} unchanged\n${secretName('two')} pruned\n`)
    },
  },
  {
    name: 'diff: exit code 0 without changes, 1 with the changes, and stores nothing',
    run: async ({ kubectl, file }) => {
      file('one.yaml', secret('one'))
      await kubectl.ok('apply -f one.yaml')
      expect(await kubectl.ok('diff -f one.yaml')).to.equal('')
      const before = await kubectl.ok(version)
      file('one.yaml', secret('one', { displayName: 'Second' }))
      const { code, stdout } = await kubectl.run('diff -f one.yaml')
      expect(code).to.equal(1)
      expect(stdout).to.contain('\n-  displayName: First\n+  displayName: Second\n')
      expect(await kubectl.ok(version)).to.equal(before)
      file('two.yaml', secret('two'))
      expect(await kubectl.run('diff -f two.yaml')).to.include({ code: 1 })
    },
  },
]
