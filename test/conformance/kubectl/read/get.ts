import { expect } from 'chai'
import { parse } from 'yaml'
import { columns } from '../../support/columns.ts'
import type { ApiObject } from '../../support/objects.ts'
import { labelled, secret, secretName, type KubectlScenario } from '../fixtures.ts'
import type { KubectlContext } from '../kubectlContext.ts'

async function withOne({ kubectl, file }: KubectlContext): Promise<void> {
  file('one.yaml', labelled(secret('one'), { tier: 'gold' }))
  await kubectl.ok('create -f one.yaml')
}

const notFound = (what: string) => `Error from server (NotFound): ${what} not found\n`

export const getScenarios: readonly KubectlScenario[] = [
  {
    name: 'get prints the columns of the server',
    run: async (context) => {
      await withOne(context)
      const want = ['NAME | DISPLAY NAME | DATA | AGE', 'one | First | 1 | <age>']
      expect(columns(await context.kubectl.ok('get sharedsecrets'))).to.deep.equal(want)
      expect(columns(await context.kubectl.ok('get sharedsecret one'))).to.deep.equal(want)
      const full = await context.kubectl.ok('get sharedsecrets.v1.management.platform/one')
      expect(columns(full)).to.deep.equal(want)
    },
  },
  {
    name: 'get -o wide adds the columns of lower priority',
    run: async (context) => {
      await withOne(context)
      expect(columns(await context.kubectl.ok('get sharedsecrets -o wide'))).to.deep.equal([
        'NAME | DISPLAY NAME | DATA | DESCRIPTION | AGE',
        'one | First | 1 | made by a test | <age>',
      ])
    },
  },
  {
    name: 'get -o json and -o yaml print the whole object',
    run: async (context) => {
      await withOne(context)
      const json = JSON.parse(await context.kubectl.ok('get sharedsecret one -o json')) as ApiObject
      expect(json).to.deep.include({ kind: 'SharedSecret', apiVersion: 'management.platform/v1' })
      expect(json.spec).to.deep.include(secret('one').spec)
      expect(parse(await context.kubectl.ok('get sharedsecret one -o yaml'))).to.deep.equal(json)
      const list = JSON.parse(await context.kubectl.ok('get sharedsecrets -o json')) as object
      expect(list).to.deep.include({ kind: 'List', items: [json] })
    },
  },
  {
    name: 'get -o name, jsonpath and custom-columns',
    run: async (context) => {
      await withOne(context)
      const { kubectl } = context
      expect(await kubectl.ok('get sharedsecrets -o name')).to.equal(`${secretName('one')}\n`)
      const path = 'get sharedsecrets -o jsonpath={.items[*].spec.data.password}'
      expect(await kubectl.ok(path)).to.equal('c2VjcmV0')
      const custom = 'get sharedsecrets -o custom-columns=N:.metadata.name,D:.spec.displayName'
      expect(columns(await kubectl.ok(custom))).to.deep.equal(['N | D', 'one | First'])
    },
  },
  {
    name: 'get --show-labels and -L print labels',
    run: async (context) => {
      await withOne(context)
      expect(columns(await context.kubectl.ok('get sharedsecrets --show-labels'))).to.deep.equal([
        'NAME | DISPLAY NAME | DATA | AGE | LABELS',
        'one | First | 1 | <age> | tier=gold',
      ])
      expect(columns(await context.kubectl.ok('get sharedsecrets -L tier'))).to.deep.equal([
        'NAME | DISPLAY NAME | DATA | AGE | TIER',
        'one | First | 1 | <age> | gold',
      ])
    },
  },
  {
    name: 'get of what is not there: NotFound, or no resources',
    run: async ({ kubectl, namespace }) => {
      expect(await kubectl.fails('get sharedsecret one')).to.equal(
        notFound('sharedsecrets.management.platform "one"'),
      )
      expect(await kubectl.fails('get user nobody')).to.equal(
        notFound('users.management.platform "nobody"'),
      )
      expect(await kubectl.fails('get ns nowhere')).to.equal(notFound('namespaces "nowhere"'))
      const { code, stderr } = await kubectl.run('get sharedsecrets')
      expect({ code, stderr }).to.deep.equal({
        code: 0,
        stderr: `No resources found in ${namespace} namespace.\n`,
      })
      expect(await kubectl.ok('get user nobody --ignore-not-found')).to.equal('')
    },
  },
  {
    name: 'get of two names, one of them missing: both outcomes',
    run: async (context) => {
      await withOne(context)
      const { code, stdout, stderr } = await context.kubectl.run('get sharedsecret one two')
      expect({ code, lines: columns(stdout).length }).to.deep.equal({ code: 1, lines: 2 })
      expect(stderr).to.equal(notFound('sharedsecrets.management.platform "two"'))
    },
  },
]
